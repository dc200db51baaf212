"""The text of a module: `forward`, `gradient`, the functions that they need, and a check against differences."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

from sympy import Basic, Integer, Symbol

from symtransformer.derivation import Derivation, Step
from symtransformer.errors import NotSupported
from symtransformer.gradients import Gradient, cotangent_name, differentiate
from symtransformer.node import Node, as_node, postorder
from symtransformer.numpy_module import support
from symtransformer.numpy_module.expressions import Writer, is_view
from symtransformer.numpy_module.functions import Functions, docstring
from symtransformer.numpy_module.identifiers import Identifiers
from symtransformer.numpy_module.infinite import Infinite
from symtransformer.numpy_module.sizes import axes_of, required, sizes_from, written_sizes
from symtransformer.operation import unfolded
from symtransformer.symbols import Letter
from symtransformer.unfolding import derive

INDENT, LINE = "    ", 112


def as_numpy_module(subject: Any, wrt: Any = None, order: Iterable[str] = (), cotangent: str = "") -> str:
    """Python code of Y and of its gradient by the letters of `wrt`, all of them if none is named.

    `subject` is an expression Y or a derivation whose last step is Y. Arguments are the letters in order
    of appearance, or first those that `order` names; `cotangent` names the one that comes in. The module
    needs NumPy alone; run as a script it compares the gradients with central differences and prints the
    largest error.

    The heads of a family are one argument, W_Q of shape (..., heads, rows, columns), and its gradient has
    that shape: asked for W_Q^(2) alone, it holds the gradients of all heads, 0 where a head is not used.

    >>> from symtransformer import dimension, matrix
    >>> n, d, k = map(dimension, ("n", "d", "k"))
    >>> text = as_numpy_module(matrix("X", n, d) @ matrix("W", d, k), "W")
    >>> print(text[text.index("    dY"):text.index("    return {")].rstrip())
        dY = np.broadcast_to(cotangent, (*batch, n, k))
        dW = np.swapaxes(X, -1, -2) @ dY
    """
    forward = subject if isinstance(subject, Derivation) else derive(as_node(subject))
    if not isinstance(subject, Derivation):
        order = [*order, *(node.name for node in postorder(as_node(subject)) if isinstance(node, Letter))]
    output = forward.steps[-1].letter
    if output.head is not None:
        raise NotSupported(f"NumPy code of {output}: it belongs to one head; name the concatenation or the sum of all")
    upstream = Letter(cotangent or _free(cotangent_name(output.name), forward), *output.shape)
    gradient = _with_all_heads(differentiate(forward, wrt, cotangent=upstream))
    if gradient.assumptions:
        raise NotSupported(f"NumPy code is for any numbers. {gradient.assumptions[0].plain('en')} Use plain letters")
    order = list(dict.fromkeys(order))
    dry = Functions()
    _Module(gradient, dry, Identifiers(), order, cotangent).text()  # tells the functions, whose names are taken then
    return _Module(gradient, Functions(), Identifiers(dry.names.values()), order, cotangent).text()


def _with_all_heads(gradient: Gradient) -> Gradient:
    """Also by the other heads that are used of each family: the array of a family has one gradient."""
    whole = unfolded(gradient.forward.steps[-1].stands_for)
    used = [x for x in postorder(whole) if isinstance(x, Letter) and x.head is not None and x not in gradient.wrt]
    families = {x.family for x in gradient.wrt if x.head is not None}
    further = [x for x in used if x.family in families]
    if not further:
        return gradient
    return differentiate(gradient.forward, [*gradient.wrt, *further], cotangent=gradient.cotangent)


def _free(name: str, forward: Derivation) -> str:
    taken = {x.name for step in forward.steps for x in postorder(step.definition) if isinstance(x, Letter)}
    return next(n for n in (name, "G", "dY", *(f"G{k}" for k in range(len(taken) + 1))) if n not in taken)


class _Module:
    def __init__(
        self, gradient: Gradient, functions: Functions, names: Identifiers, order: Sequence[str], cotangent: str
    ) -> None:  # fmt: skip
        self.gradient, self.functions, self.names = gradient, functions, names
        steps = gradient.derivation.steps
        self.output = next(step for step in steps if step.letter is gradient.output)
        bound = [node for step in steps for node in postorder(unfolded(step.definition)) if node.bound]
        self.heads: dict[Basic, Basic] = {node.args[node.bound[0]]: node.args[-1] for node in bound}
        whole = unfolded(self.output.stands_for)
        letters = [node for node in postorder(whole) if isinstance(node, Letter)]
        letters.sort(key=lambda x: order.index(x.name) if x.name in order else len(order))
        self.axes = axes_of(letters, self.heads)
        self.cotangent = names.of(*((gradient.cotangent, cotangent) if cotangent else ("cotangent", "cotangent")))
        self.arguments = [names.of(family, family.name) for family in self.axes]
        self.infinite = Infinite(steps)
        reader = self._writer()
        self.size_lines, unknown = sizes_from(self.axes, reader)
        self.sizes = [s for s in reader.used if s not in unknown]
        free = {s for step in steps for node in postorder(unfolded(step.definition)) for a in node.args
                if not isinstance(a, Node) for s in a.free_symbols if isinstance(s, Symbol)}  # fmt: skip
        others = sorted(free - {*self.sizes, *unknown} - self.heads.keys(), key=lambda s: (s.name, str(s.assumptions0)))
        self.given = [*unknown, *(s for s in others if s.is_integer)]  # sizes that no shape tells
        self.numbers = [s for s in others if not s.is_integer]

    def _writer(self) -> Writer:
        return Writer(self.functions, self.names, self.heads, self.infinite)

    def _name(self, symbol: Symbol) -> str:
        return self.names.of(symbol, symbol.name)

    def text(self) -> str:
        """The whole module."""
        for function in (support.as_floats, support.require_shapes, support.defined, support.of_shape):
            self.functions.add(function, function.__name__)
        body = [self._forward(), self._gradient(), self._shapes()]
        functions = self.functions.taken()
        self.functions.add(support.check, support.check.__name__)
        check = self.functions.taken()
        standard = sorted({"import sys", *self.functions.imports} - {"import numpy as np"})
        imports = "\n".join([*standard, "", "import numpy as np"])
        head = f"{docstring(self._about())}\n\n{imports}"
        return "\n\n\n".join([head, functions, *body, check, self._main()]) + "\n"

    def _about(self) -> str:
        asked = ", ".join(dict.fromkeys(letter.name for letter in self.gradient.wrt))
        return (
            f"{self._equation()}, and its gradient by {asked}.\n\n"
            "Arrays may have leading batch axes, which are broadcast together; a gradient has the shape of its argument.\n"
            f"{self._about_heads()}"
            "Run as a script it compares the gradients with central differences.\n"
        )

    def _about_heads(self) -> str:
        """That all heads are one array, where they are named one by one."""
        numbered = {x.family for x in self.gradient.wrt if x.head is not None and x.head.is_Integer}
        names = ", ".join(family.name for family in self.axes if family in numbered)
        return f"The heads of {names} are one array, heads first; a head that is not used has the gradient 0.\n" * bool(
            names
        )

    def _equation(self) -> str:
        text = f"{self.output.letter} = {self.output.stands_for}"
        title = self.gradient.derivation.title.en
        return text if len(text) <= LINE - 40 else f"{title}: {self.output.letter}, whose steps are named below"

    # -- functions -------------------------------------------------------------------------------------------
    def _signature(self, *further: str) -> list[str]:
        keywords = [self._name(s) for s in (*self.given, *self.numbers)]
        return [*self.arguments, *further, *(["*", *keywords] if keywords else [])]

    def _checked(self, *further: str) -> list[str]:
        """Arrays of one type, the sizes, and that they fit."""
        if not self.arguments:
            return []
        shapes = [*required(self.axes, self._writer()), *further]
        names = ", ".join(self.arguments) if len(self.arguments) > 1 else f"({self.arguments[0]},)"
        if len(names) > LINE // 2:
            names = "\n".join(_wrapped("(", self.arguments, ")"))
        floats = _wrapped(f"{names} = as_floats(", self.arguments, ")")
        return [*floats, *self.size_lines, *_wrapped("require_shapes(", shapes, ")")]

    def _forward(self) -> str:
        last = self.output.letter
        lines = self._steps([last], until=last)
        kept = f".astype({self.arguments[0]}.dtype, copy=False)" if self.arguments else ""
        masked = ", masked=True" if self.infinite.may_be(last) else ""
        lines.append(f"return defined({self.names.of(last.family, last.name)}{kept}{masked})")
        about = f"{self._equation()}, of shape (..., {written_sizes(last.shape, self._writer())})."
        return _function("forward", self._signature(), about, [*self._checked(), *lines])

    def _gradient(self) -> str:
        """The forward steps that are needed, the backward steps, and what was asked for."""
        shape = written_sizes(self.output.letter.shape, self._writer())
        is_loss = self.output.letter.shape == (1, 1)
        given = f"np.asarray({self.cotangent})"
        first = f"{self.cotangent} = " + (
            f"np.ones((1, 1)) if {self.cotangent} is None else {given}" if is_loss else given
        )
        asked = self._asked()
        counts = [*map(len, self.axes.values()), 2]
        leading = [f"{x}.shape[:-{count}]" for x, count in zip((*self.arguments, self.cotangent), counts, strict=True)]
        dy = self.names.of(self.gradient.cotangent, str(self.gradient.cotangent))
        batch = self.names.of("batch", "batch")
        start = [
            *_wrapped(f"{batch} = np.broadcast_shapes(", leading, ")"),
            f"{dy} = np.broadcast_to({self.cotangent}, (*{batch}, {shape}))",
        ]
        steps = self._steps([letter for letters in asked.values() for letter in letters.values()], start=start)
        results = [f'"{family.name}": {self._result(family, letters)},' for family, letters in asked.items()]
        lines = [first, *self._checked(f"{self.cotangent}=({self.cotangent}, {shape})"), *steps]
        signature = self._signature(f"{self.cotangent}=None" if is_loss else self.cotangent)
        about = "The gradient of the sum of cotangent * forward(...), by the name of the letter."
        return _function("gradient", signature, about, [*lines, "return {", *(INDENT + r for r in results), "}"])

    def _asked(self) -> dict[Letter, dict[Any, Letter]]:
        """The letters of the steps that give what was asked for, by family and head."""
        found: dict[Letter, dict[Any, Letter]] = {}
        by_letter = {step.derivative.letter: step.letter for step in self.gradient.derivation.steps if step.derivative}
        for letter in self.gradient.wrt:
            found.setdefault(letter.family, {})[letter.head] = by_letter[letter]
        return {family: found[family] for family in self.axes if family in found}

    def _result(self, family: Letter, steps: dict[Any, Letter]) -> str:
        """The gradient by the array of a family; of heads with numbers one after the other, 0 for those not used."""
        variables = {head: self.names.of(step.family, step.name) for head, step in steps.items()}
        first, *_ = variables.values()
        name = self.names.of(family, family.name)
        if not all(head is not None and head.is_Integer for head in steps):
            if len(steps) > 1:
                raise NotSupported(f"NumPy code: {family} with a head that is counted and another one by its number")
            return f"of_shape({first}, {name})"
        heads = range(int(self.axes[family][0]))
        listed = ", ".join(variables.get(Integer(k), f"np.zeros_like({first})") for k in heads)
        return f"of_shape(np.stack([{listed}], axis=-3), {name})"

    def _shapes(self) -> str:
        sizes = [self._name(s) for s in (*self.sizes, *self.given)]
        writer = self._writer()
        lines = []
        for family, axes in self.axes.items():
            shape = written_sizes(axes, writer)
            lines.append(f'{INDENT}"{family.name}": ({shape}),')
        return _function("shapes", sizes, "The last axes of each argument.", ["return {", *lines, "}"])

    def _main(self) -> str:
        sizes = [self._name(s) for s in (*self.sizes, *self.given)]
        further = [
            f"{key}={[self._name(s) for s in symbols]}"
            for key, symbols in (("given", self.given), ("numbers", self.numbers))
            if symbols
        ]
        arguments = ", ".join(["forward", "gradient", "shapes", str(sizes), *further]).replace("'", '"')
        return f'if __name__ == "__main__":\n{INDENT}sys.exit(check({arguments}))'

    # -- steps -----------------------------------------------------------------------------------------------
    def _steps(self, targets: Sequence[Letter], until: Letter | None = None, start: Sequence[str] = ()) -> list[str]:
        """A line for each step that the targets need, and for what is used twice; heads are counted before."""
        steps = {step.letter.family: step for step in self.gradient.derivation.steps}
        needed = self._needed(targets, steps)
        roots = {family: unfolded(step.definition) for family, step in steps.items() if family in needed}
        writer = self._writer()
        uses = _uses(roots.values())
        lines: list[str] = []
        for family, root in roots.items():
            if start and steps[family].derivative is not None:
                lines.extend(start)
                start = ()
            for node in postorder(root):
                shared = node is not root and uses[node] > 1 and node._children and not is_view(node)
                if shared and node not in writer.given:
                    code = ast.unparse(writer.written(node))
                    writer.given[node] = self.names.of((until, node), "shared")
                    lines.append(f"{writer.given[node]} = {code}")
            every_head = "[..., None, :, :]" if writer.inside(steps[family].letter) and not writer.inside(root) else ""
            code = ast.unparse(writer.written(root))
            lines.append(f"{self.names.of(family, family.name)} = {f'({code}){every_head}' if every_head else code}")
            if not every_head:
                writer.given.setdefault(root, self.names.of(family, family.name))
        counted = [s for s in writer.used if s in self.heads]
        counts = [
            f"{self._name(s)} = np.arange({ast.unparse(writer.scalar(self.heads[s], whole=True))})" for s in counted
        ]
        return [*counts, *lines]

    def _needed(self, targets: Iterable[Letter], steps: dict[Letter, Step]) -> set[Letter]:
        needed: set[Letter] = set()
        waiting = [target.family for target in targets]
        while waiting:
            family = waiting.pop()
            if family in steps and family not in needed:
                needed.add(family)
                waiting += [x.family for x in steps[family].definition._free if isinstance(x, Letter)]
        return needed


def _uses(roots: Iterable[Node]) -> dict[Node, int]:
    """How often each node is written; inside of what is only another view of it, as often as that is."""
    nodes = list(postorder(*roots))
    uses = dict.fromkeys(nodes, 0)
    for node in reversed(nodes):
        for child in node._children:
            uses[child] += max(uses[node], 1) if is_view(node) else 1
    return uses


def _function(name: str, signature: list[str], about: str, lines: list[str]) -> str:
    body = [docstring(about), *(line for part in lines for line in part.split("\n"))]
    return "\n".join([*_wrapped(f"def {name}(", signature, "):"), *(INDENT + line for line in body)])


def _wrapped(before: str, items: Sequence[str], after: str) -> list[str]:
    """before + items + after in one line, or the items in lines of their own."""
    line = f"{before}{', '.join(items)}{after}"
    if len(line) <= LINE and "\n" not in line:
        return [line]
    whole = [item.replace(" ", "\0") for item in items]
    filled = textwrap.wrap(
        ", ".join(whole) + ",", LINE - 2 * len(INDENT), break_long_words=False, break_on_hyphens=False
    )
    return [*before.split("\n"), *(INDENT + part.replace("\0", " ") for part in filled), after]
