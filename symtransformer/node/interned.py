"""One object for each distinct expression: how it is made, found again and let go, and what is known of it."""

from __future__ import annotations

import itertools
import threading
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import ref

from sympy import Basic, MatrixExpr

from symtransformer.node.facts import OF_NOTHING, Facts, facts_of, joined, symbols_of

if TYPE_CHECKING:
    from symtransformer.node import Node


class _Held(ref["Node"]):
    """A node for as long as somebody else holds it, and where it is found."""

    __slots__ = ("key", "table")
    key: Any
    table: dict[Any, _Held]


FACTS_AT_MOST = 2000  # of one operation
_numbers = itertools.count(1)
_interning = threading.RLock()  # a node may vanish, and be forgotten, while another is entered


def _forget(held: _Held, interning: threading.RLock = _interning) -> None:
    with interning:  # as a default, it is still there when Python ends and empties the modules
        found = held.table.pop(held.key, held)
        if found is not held:  # another of the same key has come since
            held.table[held.key] = found


class Interned(MatrixExpr):
    """A matrix expression of which there is one object for each distinct meaning; what is known of it is found once."""

    __slots__ = ("__weakref__", "_children", "_digest", "_facts", "_known_letters", "_lacks", "_own_assumptions")
    _op_priority = 20
    __array_ufunc__ = None  # NumPy then leaves `array @ node` to us
    bound: ClassVar[tuple[int, ...]] = ()  # positions of arguments that are bound letters
    matrices_first: ClassVar[int] = -1  # so many matrices, and then none; -1 where that is not known beforehand
    has_definition: ClassVar[bool] = False
    is_letter: ClassVar[bool] = False

    _children: tuple[Node, ...]
    _facts: Facts
    _known_letters: frozenset[Node] | None
    _lacks: str  # no letter inside has this name
    _digest: str

    _table: ClassVar[dict[Any, _Held]]  # the nodes of this class, by their arguments
    # what is known of them, by what is known of their matrices and by their numbers; None where it does not follow
    _known_facts: ClassVar[dict[tuple[Any, ...], Facts] | None]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._table = {}
        cls._settle()

    @classmethod
    def _settle(cls) -> None:
        """What is asked for whenever one of them is made."""
        own = cls._find_facts is not Interned._find_facts or cls.has_definition or cls.bound
        cls._known_facts = None if own or cls.matrices_first < 0 else {}

    @classmethod
    def _intern(cls, args: tuple[Basic, ...], key: tuple[Any, ...] | None = None) -> Node:
        """The one node of this class with these arguments (already of the right types)."""
        if key is None:
            key = args
        held = cls._table.get(key)
        if held is not None and (found := held()) is not None:
            return found
        count = cls.matrices_first
        if count >= len(args):
            children: Any = args
        else:
            children = args[:count] if count >= 0 else tuple([a for a in args if isinstance(a, Interned)])
        node: Any = object.__new__(cls)
        node._mhash = next(_numbers)
        node._args, node._children, node._known_letters = args, children, None
        known = cls._known_facts
        if known is None:
            node._facts = node._find_facts()
        else:
            like: Any = tuple([child._facts for child in children])
            if children is not args:
                like += args[count:]
            facts = known.get(like)
            if facts is None:
                facts = node._find_facts()
                if len(known) >= FACTS_AT_MOST:
                    known.clear()
                known[like] = facts
            node._facts = facts
        mine = _Held(node, _forget)
        mine.key, mine.table = key, (table := cls._table)
        return node if table.setdefault(key, mine) is mine else node._entered(table, key)  # type: ignore[no-any-return]

    def _entered(self, table: dict[Any, _Held], key: Any) -> Node:
        """This node, or the one of the same key that was there before."""
        mine = _Held(self, _forget)
        mine.key, mine.table = key, table
        if table.setdefault(key, mine) is mine:  # in one go
            return self
        with _interning:
            found = table.setdefault(key, mine)()
            if found is None:  # that was another, which has just vanished
                table[key], found = mine, self
        return found

    # -- what a subclass answers, once ------------------------------------------------
    def _find_shape(self) -> tuple[Basic, Basic]:
        raise NotImplementedError

    def _find_facts(self) -> Facts:
        """All that is known of it: mostly what is known of its matrices, taken together."""
        shape, children, args, bound = self._find_shape(), self._children, self._args, self.bound
        known = children[0]._facts if children else OF_NOTHING
        free, all_, families = known.open_symbols, known.symbols, known.families
        plain, explicit = known.plain, known.explicit
        for child in children[1:]:
            facts = child._facts
            if facts is not known:
                free, all_ = joined(free, facts.open_symbols), joined(all_, facts.symbols)
                families = joined(families, facts.families)
                plain, explicit = plain and facts.plain, explicit and facts.explicit
        if len(children) < len(args):
            for arg in args:
                if not isinstance(arg, Interned) and not arg.is_Integer and (symbols := symbols_of(arg)):
                    free, all_ = joined(free, symbols), joined(all_, symbols)
            if bound:
                hidden = {args[k] for k in bound}
                free, all_ = free - hidden, all_ - hidden
                families = joined(families, frozenset([(args[k], args[k + 1]) for k in bound]))
        return facts_of(shape, free, all_, families, plain and not self.has_definition, explicit)

    def _value(self) -> Basic:
        """The explicit matrix that this node is, all leaves being explicit."""
        raise NotImplementedError

    def form(self) -> Any:
        """How an operation is written; a leaf has no form and writes itself."""
        return None

    def _named(self, position: int) -> str:
        """The name that has to be written before this argument; mostly none."""
        return ""

    def _written(self, dialect: str, from_zero: bool = False) -> str:
        raise NotImplementedError

    def _numpy_call(self, arguments: list[str], code: Any) -> str:
        raise NotImplementedError

    def entry(self, i: Any, j: Any, full: bool = False) -> Basic:
        raise NotImplementedError

    @property
    def _assumptions(self) -> Any:
        """What SymPy assumes: that of its class, until SymPy keeps what it found of this one."""
        return getattr(self, "_own_assumptions", self.default_assumptions)

    @_assumptions.setter
    def _assumptions(self, found: Any) -> None:
        self._own_assumptions = found

    # -- identity ---------------------------------------------------------------------
    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        """That of `Basic`, a running number: by address, the order of sets would change from run to run."""
        return self._mhash  # type: ignore[no-any-return]

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __copy__(self) -> Node:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Node:
        return self

    # -- facts computed once ------------------------------------------------------------
    args = Basic._args  # type: ignore[assignment]  # the slot itself: SymPy reads it through a property
    number = Basic._mhash  # no other node ever has it, and it says nothing once its node has vanished

    @property
    def shape(self) -> tuple[Basic, Basic]:
        return self._facts.shape

    @property
    def _open_symbols(self) -> frozenset[Basic]:
        return self._facts.open_symbols

    @property
    def _symbols(self) -> frozenset[Basic]:
        return self._facts.symbols

    @property
    def _families(self) -> frozenset[tuple[Basic, Basic]]:
        return self._facts.families

    @property
    def _plain(self) -> bool:
        return self._facts.plain

    @property
    def free_symbols(self) -> set[Basic]:
        return set(self._free)

    @property
    def _letters(self) -> frozenset[Node]:
        """Every letter in it, found when first asked for: kept at every node of a deep model they would be its square."""
        if self._known_letters is None:
            if self.is_letter:
                return frozenset((self,))  # not kept: a letter that holds itself would never vanish
            found: set[Node] = set()
            seen: set[int] = set()
            waiting: list[Node] = [self]
            while waiting:
                node = waiting.pop()
                if node._known_letters is not None:
                    found |= node._known_letters
                elif node.is_letter:
                    found.add(node)
                elif node.number not in seen:
                    seen.add(node.number)
                    waiting += node._children
            self._known_letters = frozenset(found)
        return self._known_letters

    def _names_a_letter(self, name: str) -> bool:
        """Whether a letter in it has this name; what has none is not walked again for the same name."""
        seen: dict[int, Node] = {}
        waiting: list[Node] = [self]
        while waiting:
            node = waiting.pop()
            if node.is_letter:
                if node.name == name:  # type: ignore[attr-defined]
                    return True
            elif node.number not in seen and getattr(node, "_lacks", "") != name:
                seen[node.number] = node
                waiting += node._children
        for node in seen.values():
            node._lacks = name
        return False

    @property
    def _free(self) -> frozenset[Basic]:
        """Letters, and what numbers and heads mention."""
        return self._letters | self._open_symbols

    @property
    def _mentions(self) -> frozenset[Basic]:
        """The same, and what only sizes mention."""
        return self._letters | self._symbols
