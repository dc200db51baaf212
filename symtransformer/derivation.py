"""A derivation: an ordered list of named equations between expressions, as frozen records.

`derive` unfolds an expression into one. Everything else reads that list: evaluation gives
each name its value, the judge decides each equation, rendering prints it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from sympy import Basic, Expr

from symtransformer.display import DrawnInNotebooks, InNotebooks
from symtransformer.errors import UnreadableInput
from symtransformer.node import Node, in_order_of_reading, postorder, rebuild, substitute
from symtransformer.notation import Words
from symtransformer.operation import Composite, Operation, Primitive, unfolded
from symtransformer.operations.ones import Ones
from symtransformer.operations.rows import Row
from symtransformer.sections import Column, Comparison, Counts, Fact, Section, Sweep, frozen, require_words
from symtransformer.symbols import Entry, Letter


@dataclass(frozen=True)
class Derivative:
    """The claim to be the gradient by `letter` of Σ_ij cotangent_ij output_ij, the cotangent held fixed.

    That is the sum of Σ_ij dt_ij ∂t_ij/∂letter over the uses (t, definition of t, gradient dt by t): the steps
    that the letter goes into and that lead to the output. Without an output, only that sum is claimed.
    """

    letter: Letter
    uses: tuple[tuple[Letter, Node, Node], ...]
    output: Letter | None = None
    cotangent: Node | None = None


@dataclass(frozen=True)
class Step(InNotebooks):
    """letter = expression, in terms of inputs and earlier letters; `stands_for` is what it must equal."""

    letter: Letter
    expression: Node
    stands_for: Node
    title: Words
    explanation: Words
    coarse: Node | None = None  # the same in one operation, where `expression` is its finer definition
    derivative: Derivative | None = None  # what a step of a gradient claims to be

    @property
    def definition(self) -> Node:
        """The equation as one operation: A = softmax(S), also where the steps of softmax are shown."""
        return self.expression if self.coarse is None else self.coarse

    @property
    def name(self) -> str:
        return self.letter.name

    def entry(self, i: Any, j: Any) -> Expr:
        """Formula of entry (i, j) of this step, counted from 0, in entries of what it is made from."""
        formula = self.expression.entry(i, j)
        return _one_step_down(formula)

    def row(self, i: int) -> tuple[Node, Node]:
        """The equation of row i (from 0): both sides, as in z_2 = a_2 V."""
        return Row(self.letter, i), row_of(self.expression, i)


@dataclass(frozen=True)
class Follow:
    """The row or column (from 0) of a step that the reader's eye follows through the page."""

    step: str
    axis: str
    index: int

    def __post_init__(self) -> None:
        if self.axis not in ("row", "column") or self.index < 0:
            raise UnreadableInput("following: expected a row or a column and its number, as in Z:row:2")


@dataclass(frozen=True)
class Derivation(DrawnInNotebooks):
    """Named equations in order, with the values, the labels and the sections of a page if there are any."""

    steps: tuple[Step, ...]
    title: Words
    values: tuple[tuple[Letter | Expr, Any], ...] = ()
    labels: tuple[tuple[str, tuple[Words, ...]], ...] = ()
    sections: tuple[Section, ...] = ()
    follow: Follow | None = None

    def __post_init__(self) -> None:
        """Every name is given once, and made from inputs and earlier names; words are in both languages."""
        require_words("the title of a derivation", self.title)
        for name in ("steps", "values", "labels", "sections"):
            object.__setattr__(self, name, frozen(getattr(self, name)))
        for name, kind in (("steps", Step), ("sections", Section)):
            if any(type(item) is not kind for item in getattr(self, name)):  # a subclass could change what it says
                raise UnreadableInput(f"a derivation: {name} expects a tuple of {kind.__name__}(...)")
        for step in self.steps:
            require_words(f"the title of step {step.name}", step.title)
            require_words(f"the explanation of step {step.name}", step.explanation)
            if step.derivative is not None and type(step.derivative) is not Derivative:
                raise UnreadableInput(f"a derivation: the derivative of step {step.name} expects a Derivative(...)")
        if self.follow is not None and type(self.follow) is not Follow:
            raise UnreadableInput('following: expected Follow("Z", "row", 1), which counts from 0')
        self._check_labels()
        self._check_letters()
        names = {step.name for step in self.steps}
        earlier: dict[str, Letter] = {}
        for step in self.steps:
            if step.name in earlier:
                raise UnreadableInput(f"a derivation: the name {step.name} is given to two steps; rename one")
            for used in _letters_in(step.expression, step.definition):
                if used.name in names and (used.name not in earlier or used.family is not earlier[used.name].family):
                    raise UnreadableInput(
                        f"a derivation: step {step.name} uses {used.name}, which no earlier step defines"
                    )
                if used.name in names and not _is_member(used.head, earlier[used.name].head):
                    raise UnreadableInput(
                        f"a derivation: step {step.name} uses {used}, but what an earlier step defines is "
                        f"{earlier[used.name]}"
                    )
            earlier[step.name] = step.letter
        self._check_meaning()

    def _check_meaning(self) -> None:
        """What the steps stand for is written in inputs."""
        names = {step.name for step in self.steps}
        meant = [step.stands_for for step in self.steps]
        for node in postorder(*meant):
            if isinstance(node, Letter) and node.name in names:
                step = next(step for step in self.steps if node in step.stands_for._free)
                raise UnreadableInput(f"a derivation: step {step.name} must stand for inputs only, not for {node.name}")

    def _check_letters(self) -> None:
        """One name, one meaning; and what belongs to a head says so."""
        sides = [
            side for step in self.steps for side in (step.letter, step.expression, step.definition, step.stands_for)
        ]
        counted = {letter for side in sides for letter, _ in side._families}
        meant: dict[str, set[Any]] = {}
        for thing in _mentioned(sides) | counted:
            letter = isinstance(thing, Letter)
            meant.setdefault(thing.name, set()).add(
                (letter, thing.shape if letter else frozenset(thing.assumptions0.items()))
            )
            if letter and thing.head is not None:
                counted |= thing.head.free_symbols
        if several := sorted(name for name, meanings in meant.items() if len(meanings) > 1):
            raise UnreadableInput(f"a derivation: {several[0]} stands for two different things; rename one")
        for step in self.steps if counted else ():
            own = set() if step.letter.head is None else step.letter.head.free_symbols
            for side in (step.expression, step.definition, step.stands_for):
                if foreign := sorted(str(s) for s in (side._symbols & counted) - own):
                    raise UnreadableInput(
                        f"a derivation: step {step.name} depends on the head {foreign[0]} and must be a letter of that "
                        f"head, as Z.of_head({foreign[0]}) is"
                    )

    def _check_labels(self) -> None:
        if not self.labels:
            return
        sizes = {str(size) for step in self.steps for node in postorder(step.expression) for size in node.shape}
        for axis, words in self.labels:
            if axis not in sizes:
                known = ", ".join(sorted(sizes))
                raise UnreadableInput(f"labels: {axis[:40]} is no size of this derivation; the sizes are {known}")
            for word in words:
                require_words(f"a label of {axis}", word)

    def __getitem__(self, name: str) -> Step:
        for step in self.steps:
            if step.name == name:
                return step
        known = ", ".join(step.name for step in self.steps)
        raise UnreadableInput(f"looking up a step: there is no step {name!r}; the steps are {known}")

    @cached_property
    def inputs(self) -> tuple[Letter, ...]:
        """The letters that no step defines, in order of first appearance."""
        known: set[Any] = {step.letter for step in self.steps}
        found: list[Any] = []
        for step in self.steps:
            if new := step.expression._letters - known:
                found += new if len(new) < 2 else in_order_of_reading(new, step.expression)
                known |= new
        return tuple(found)

    def expanded(self, name: str) -> Node:
        """What the step stands for, written in inputs only: the steps themselves, put into one another."""
        behind: dict[Basic, Node] = {}
        for step in self.steps:
            behind[step.letter] = written_out(step.expression, behind)
            if step.name == name:
                return behind[step.letter]
        return self[name].letter  # raises with the names that exist

    def label_of(self, axis: str, index: int) -> Words | None:
        """The label of a token, by the size letter or number that its axis has."""
        words = dict(self.labels).get(axis)
        return words[index] if words and index < len(words) else None


def _is_member(head: Expr | None, defined: Expr | None) -> bool:
    """Whether a letter of this head is what a step for that head defines: of head i, every head."""
    return head == defined or (head is not None and defined is not None and defined.is_Symbol)


def _letters_in(*roots: Node) -> list[Letter]:
    letters = {s for root in set(roots) for s in root._free if isinstance(s, Letter)}
    return sorted(letters, key=lambda x: (x.name, "" if x.head is None else str(x.head)))


def _mentioned(roots: Iterable[Node]) -> set[Any]:
    """Every letter, size and number that stands in them, each distinct node seen once."""
    found: set[Any] = set()
    for node in postorder(*roots):
        if not node._children:
            found |= node._symbols | node._letters
        for arg in node.args:
            if not isinstance(arg, Node):
                found |= arg.free_symbols
    return found


def families_of(letters: Iterable[Any]) -> dict[Letter, Letter]:
    return {letter.family: letter for letter in letters if isinstance(letter, Letter)}


def written_out(root: Node, behind: Mapping[Basic, Node], families: Mapping[Letter, Letter] | None = None) -> Node:
    """An expression with each letter replaced by what stands behind it; `families` are those of these letters.

    A letter of head i stands for a family: what stands behind it is taken for the head that is
    asked for, also where a concatenation over the heads counts them.
    """
    known = families_of(behind) if families is None else families

    def visit(node: Node, args: list[Any]) -> Any:
        letter = known.get(node.family) if isinstance(node, Letter) else None
        if letter is not None and isinstance(node, Letter):
            whole = behind[letter]
            if letter.head == node.head:
                return whole
            if letter.head is not None and letter.head.is_Symbol and node.head is not None:
                return substitute(whole, {letter.head: node.head})
        return node if all(a is b for a, b in zip(args, node.args, strict=True)) else node.func(*args)

    return rebuild(root, visit, lambda scalar: scalar)


def row_of(expression: Node, i: Any) -> Node:
    """Row i of an expression, taken as far in as its operations work row by row."""
    if isinstance(expression, Ones):
        return Ones(1, expression.shape[1])
    if not isinstance(expression, Primitive):
        return Row(expression, i) if not isinstance(expression, Composite) else row_of(unfolded(expression), i)
    rowwise = {k for axis, k, other in expression.follows if axis == other == "row"}
    if not rowwise:
        return Row(expression, i)
    args = [
        row_of(a, i) if isinstance(a, Node) and (k in rowwise or -1 in rowwise) else a
        for k, a in enumerate(expression.args)
    ]
    return expression.func(*args)


def _one_step_down(formula: Expr) -> Expr:
    """Entries of operations inside one step resolved, entries of letters left alone."""
    for _ in range(64):
        inner = [e for e in formula.atoms(Entry) if isinstance(e.parent, Operation)]
        if not inner:
            return formula
        formula = formula.xreplace({e: e.parent.entry(e.i, e.j) for e in inner})
    raise UnreadableInput("one step holds more than 64 nested operations; name some of them")


def with_values(derivation: Derivation, values: Mapping[Any, Any]) -> Derivation:
    """The same derivation for other numbers; letters not named keep theirs.

    >>> from symtransformer import derive, evaluate, matrix, with_values
    >>> A = matrix("A", 1, 2)
    >>> doubled = derive(A + A, values={A: [[1, 2]]})
    >>> evaluate(with_values(doubled, {A: [[3, 4]]}))["Y"]
    Matrix([[6, 8]])
    """
    return replace(derivation, values=tuple({**dict(derivation.values), **values}.items()))


__all__ = [
    "Column", "Comparison", "Counts", "Derivation", "Derivative", "Fact", "Follow", "Section", "Step", "Sweep", "row_of",
    "with_values", "written_out",
]  # fmt: skip
