"""The NumPy facets of operations as functions of a module of its own.

The text of a facet is taken as it stands, with the functions and constants that it needs: there is no
second place that says what an operation computes. Errors of this library become `ValueError`.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import sys
import textwrap
from collections.abc import Callable
from types import ModuleType
from typing import Any

from symtransformer.errors import SymtransformerError
from symtransformer.operation import Primitive

Edit = tuple[int, int, str]  # from, to and what stands there instead, in bytes


class Functions:
    """Functions that were asked for and what they need, each once, in an order in which they can be defined."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.imports: set[str] = set()
        self.names: dict[Any, str] = {}

    def taken(self) -> str:
        """The texts that were not taken before; constants stand in front."""
        constants = [text for text in self.texts.values() if not text.startswith("def ")]
        functions = [text for text in self.texts.values() if text.startswith("def ")]
        self.texts = {}
        return "\n\n\n".join([*(["\n".join(constants)] if constants else []), *functions])

    def of_operation(self, operation: type[Primitive]) -> str:
        """The name of the function that computes an operation."""
        about = (operation.__doc__ or operation.title.en).strip().splitlines()[0]
        return self.add(operation.numpy, facet_name(operation), about)  # type: ignore[attr-defined]

    def add(self, function: Callable[..., Any], name: str, about: str = "") -> str:
        """The name under which the text of this function stands."""
        if function not in self.names:
            self.names[function] = self._free(name)
            source = textwrap.dedent(inspect.getsource(function))
            self.texts[self.names[function]] = self._rewritten(
                source, function.__globals__, self.names[function], about
            )
        return self.names[function]

    def _free(self, name: str) -> str:
        wanted, number = name.lstrip("_"), 1
        while (free := wanted if number == 1 else f"{wanted}_{number}") in self.names.values():
            number += 1
        return free

    def _rewritten(self, source: str, known: dict[str, Any], name: str, about: str) -> str:
        tree = ast.parse(source).body[0]
        assert isinstance(tree, ast.FunctionDef)
        own = {a.arg for a in ast.walk(tree) if isinstance(a, ast.arg)}
        own |= {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        starts = _line_starts(source)
        head = f"def {name}({_without_annotations(tree.args)}):\n"
        if about and ast.get_docstring(tree) is None:
            head += f"    {docstring(about)}\n"
        edits = [(0, starts[tree.body[0].lineno - 1], head)]
        for statement in tree.body:
            edits += self._edits(statement, starts, known, own)
        if any(isinstance(n, ast.JoinedStr) and self._edits(n, starts, known, own) for n in ast.walk(tree)):
            raise NotImplementedError(f"{name}: a constant inside of an f-string, where Python 3.11 gives no places")
        return _edited(source, edits).strip()

    def _edits(self, tree: ast.AST, starts: list[int], known: dict[str, Any], own: set[str]) -> list[Edit]:
        """What is said otherwise in a module of its own: facets of other operations, errors, constants."""
        edits: list[Edit] = []
        waiting = [tree]
        while waiting:
            node = waiting.pop()
            new = self._instead(node, known, own)
            if new is None:
                waiting.extend(ast.iter_child_nodes(node))
            elif isinstance(node, ast.expr) and new != ast.unparse(node):
                end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
                edits.append((starts[node.lineno - 1] + node.col_offset, end, new))
        return edits

    def _instead(self, node: ast.AST, known: dict[str, Any], own: set[str]) -> str | None:
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr="numpy") if name in known and name not in own:
                return self.of_operation(known[name])
            case ast.Call(func=ast.Name(id="float"), args=[ast.Name(id=name)]) if name in known and name not in own:
                return repr(float(known[name]))
            case ast.Name(id=name) if name in known and name not in own:
                return self._global(name, known)
        return None

    def _global(self, name: str, known: dict[str, Any]) -> str:
        value = known[name]
        if isinstance(value, ModuleType):
            self.imports.add(f"import {value.__name__}" + (f" as {name}" if name != value.__name__ else ""))
            return name
        if isinstance(value, type) and issubclass(value, SymtransformerError):
            return "ValueError"
        if isinstance(value, str):
            return json.dumps(value, ensure_ascii=False)
        if inspect.isfunction(value):
            return self.add(value, name)
        return self._constant(name, known)

    def _constant(self, name: str, known: dict[str, Any]) -> str:
        """What is computed once, at the head of a file."""
        key = (known["__name__"], name)
        if key not in self.names:
            source = inspect.getsource(sys.modules[known["__name__"]])
            found = [
                s for s in ast.parse(source).body if isinstance(s, ast.Assign) and ast.unparse(s.targets[0]) == name
            ]
            if not found:
                raise NotImplementedError(f"{name} of {key[0]}: only what a file assigns by itself can stand elsewhere")
            self.names[key] = self._free(name)
            text = ast.get_source_segment(source, found[0].value) or ""
            edits = self._edits(ast.parse(text, mode="eval"), _line_starts(text), known, set())
            self.texts[self.names[key]] = f"{self.names[key]} = {_edited(text, edits)}"
        return self.names[key]


def facet_name(operation: type[Primitive]) -> str:
    """log_sum_exp for LogSumExp, rms_division for RMSDivision, relu for ReLU."""
    return re.sub(r"(?<=\w)(?=[A-Z][a-z])", "_", operation.__name__).lower()


def single_expression(operation: type[Primitive]) -> tuple[list[str], ast.expr] | None:
    """The parameters and the expression of a facet that is nothing else, with NumPy alone; None for others."""
    function = operation.numpy  # type: ignore[attr-defined]
    tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(tree, ast.FunctionDef)
    parameters = [a.arg for a in tree.args.args]
    if tree.args.vararg or tree.args.defaults or len(tree.body) != 1 or not isinstance(tree.body[0], ast.Return):
        return None
    expression = tree.body[0].value
    used = [node.id for node in ast.walk(expression) if isinstance(node, ast.Name)] if expression else []
    once = all(used.count(name) == 1 for name in parameters)
    return (parameters, expression) if expression and once and set(used) <= {*parameters, "np"} else None


def docstring(about: str) -> str:
    escaped = re.sub("NotSupported|ShapeError", "ValueError", about).replace("\\", r"\\").replace('"', r"\"")
    return f'"""{escaped}"""'


def _without_annotations(arguments: ast.arguments) -> str:
    for argument in ast.walk(arguments):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    return ast.unparse(arguments)


def _line_starts(source: str) -> list[int]:
    """Where each line begins, in bytes: the places in a tree are counted so."""
    starts = [0]
    for line in source.split("\n"):
        starts.append(starts[-1] + len(line.encode()) + 1)
    return starts


def _edited(source: str, edits: list[Edit]) -> str:
    content = source.encode()
    for start, end, new in sorted(edits, reverse=True):
        content = content[:start] + new.encode() + content[end:]
    return content.decode()
