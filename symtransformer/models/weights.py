"""The weights of a model: which letters they are, what each is for, and numbers for them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from sympy import Basic, Rational, S

from symtransformer.errors import NotSupported
from symtransformer.models.configuration import Configuration
from symtransformer.node import Node, postorder
from symtransformer.operation import Composite
from symtransformer.operations.additive_attention import AdditiveAttention, AdditiveScores
from symtransformer.operations.cross_attention import CrossAttention
from symtransformer.operations.embedding import Embedding, PositionedEmbedding
from symtransformer.operations.feed_forward import FeedForward
from symtransformer.operations.grouped_query_attention import GroupedQueryAttention
from symtransformer.operations.key_value_memory import KeyValueMemory
from symtransformer.operations.layer_norm import LayerNorm
from symtransformer.operations.linear import Linear
from symtransformer.operations.multi_head_attention import MultiHeadAttention
from symtransformer.operations.recurrent import RecurrentStep
from symtransformer.operations.rms_norm import RMSNorm
from symtransformer.operations.single_head import SingleHead
from symtransformer.operations.swiglu import SwiGLU
from symtransformer.symbols import Letter

EMBEDDING, POSITIONS, ATTENTION, NETWORK, NORM, OUTPUT, RECURRENT = (
    "embedding", "positions", "attention", "feed-forward", "norm", "output", "recurrent",
)  # fmt: skip
# Where a letter is learned: by operation, the arguments that begin with these words. Earlier lines count.
_LEARNED: tuple[tuple[type[Composite], str, tuple[str, ...]], ...] = (
    (MultiHeadAttention, ATTENTION, ("weight", "bias")),
    (GroupedQueryAttention, ATTENTION, ("weight", "bias")),
    (SingleHead, ATTENTION, ("query_weight", "key_weight", "value_weight")),
    (CrossAttention, ATTENTION, ("weight",)),
    (AdditiveAttention, ATTENTION, ("query_weight", "key_weight", "score_weight")),
    (AdditiveScores, ATTENTION, ("query_weight", "key_weight", "score_weight")),
    (FeedForward, NETWORK, ("weight", "bias")),
    (SwiGLU, NETWORK, ("weight", "bias")),
    (KeyValueMemory, NETWORK, ("weight", "bias")),
    (RecurrentStep, RECURRENT, ("state_weight", "input_weight", "bias")),
    (LayerNorm, NORM, ("gain", "shift")),
    (RMSNorm, NORM, ("gain",)),
    (Embedding, EMBEDDING, ("table",)),
    (PositionedEmbedding, POSITIONS, ("positions",)),
    (Linear, OUTPUT, ("weight", "bias")),
)


@dataclass(frozen=True)
class Role:
    """What a weight is for: its part of the model, the argument that it is, and in how many heads it has a member."""

    part: str
    argument: str
    members: Basic


def walked(model: Node, closed: tuple[type[Composite], ...] = ()) -> Iterator[Node]:
    """Every distinct node of an expression, also those inside the definitions of its layers, `closed` ones excepted."""
    seen: set[Node] = set()
    stack = [model]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        yield node
        stack.extend(reversed(node._children))
        if isinstance(node, Composite) and not isinstance(node, closed):
            stack.append(node.definition().whole)


def roles_in(nodes: Iterable[Node]) -> dict[Letter, Role]:
    """What each learned letter is for; a letter that stands in none of the operations above is not learned."""
    of_kind: dict[type, list[Composite]] = {}
    for node in nodes:
        if isinstance(node, Composite):
            of_kind.setdefault(type(node), []).append(node)
    roles: dict[Letter, Role] = {}
    families: set[Letter] = set()
    for kind, part, words in _LEARNED:
        for node in of_kind.get(kind, ()):
            for parameter, argument in zip(node.parameters, node.args, strict=False):
                in_group = parameter.name in getattr(node, "of_each_group", ())
                heads = node.argument("groups" if in_group else "heads") or S.One
                if isinstance(argument, Node) and parameter.name.startswith(words):
                    for letter in (x for x in postorder(argument) if isinstance(x, Letter)):
                        if letter in roles or (letter.head is not None and letter.family in families):
                            continue
                        roles[letter] = Role(part, parameter.name, _members(node, letter, heads))
                        families |= {letter.family} if _is_family(letter) else set()
    return roles


def _is_family(letter: Letter) -> bool:
    """Whether it stands for one matrix for each head, and not for a single one."""
    return letter.head is not None and not letter.head.is_Integer


def _members(node: Composite, letter: Letter, heads: Any) -> Any:
    """In how many heads a letter has a member."""
    if not _is_family(letter):
        return S.One
    if node.argument("heads") is None:
        raise NotSupported(
            f"{letter}: a weight of each head, but {type(node).__name__} does not say how many there are"
        )
    return heads


def weights_of(model: Node) -> tuple[Letter, ...]:
    """The letters of a model that are learned, in the order in which the layers take them.

    >>> from symtransformer.models import DEMO, decoder_only
    >>> weights_of(decoder_only(DEMO))
    (dec1.W_Q^(i), dec1.W_K^(i), dec1.W_V^(i), dec1.W_O, dec1.W_1, dec1.W_2)
    """
    roles = roles_in(walked(model))
    return tuple(node for node in postorder(model) if isinstance(node, Letter) and node in roles)


def random_weights(
    model: Node, config: Configuration | None = None, seed: int = 0, *, initial: bool = False, arrays: bool = False
) -> dict[Letter, Any]:
    """A value for every weight, drawn in the order of `weights_of`: rows of exact numbers, of a family one for each head.

    Numbers are eighths from -1 to 1, gains 1 plus or minus up to a quarter. With `initial` they are
    what training starts from: normal with mean 0 and standard deviation 0.02, to 6 decimals; gains
    1, shifts and biases 0. With `arrays` they come as NumPy arrays. They are made from
    `random.Random(seed).random()`, which gives the same numbers in every version of Python. Sizes
    that are letters are taken from `config`.

    >>> from symtransformer.models import DEMO, decoder_only
    >>> weights = random_weights(decoder_only(DEMO), DEMO, seed=1)
    >>> [(str(letter), len(value)) for letter, value in weights.items()][:2]
    [('dec1.W_Q^(i)', 2), ('dec1.W_K^(i)', 2)]
    """
    roles, uniform = roles_in(walked(model)), _uniform(seed)
    known = config.values() if config is not None else {}
    values: dict[Letter, Any] = {}
    for letter in weights_of(model):
        role = roles[letter]
        rows, cols, members = (number_of(size.xreplace(known)) for size in (*letter.shape, role.members))
        numerators, denominator = _drawn(role.argument, uniform, members * rows * cols, initial)
        cells = numerators.reshape(members, rows, cols)
        cells = cells if _is_family(letter) else cells[0]
        values[letter] = cells / denominator if arrays else _exact(cells.tolist(), denominator)
    return values


def number_of(size: Any) -> int:
    """A size that has to be a number."""
    if not size.is_Integer:
        raise NotSupported(f"the size {size} is a letter; give the configuration that says how large it is")
    return int(size)


def _uniform(seed: int) -> Any:
    """`random.Random(seed).random()` as many times as asked, in NumPy: its generator is the same."""
    import numpy as np

    *key, position = random.Random(seed).getstate()[1]
    generator = np.random.RandomState()
    generator.set_state(("MT19937", np.array(key, dtype=np.uint32), position, 0, 0.0))
    return generator.random_sample


def _drawn(argument: str, uniform: Any, count: int, initial: bool) -> tuple[Any, int]:
    """Whole numbers, and what they are to be divided by."""
    import numpy as np

    is_gain = argument.startswith("gain")
    if not initial:
        steps = np.floor(17 * uniform(count)).astype(int) - 8
        return (32 + steps, 32) if is_gain else (steps, 8)
    if is_gain or argument.startswith(("shift", "bias")):
        return np.full(count, int(is_gain)), 1
    radius, angle = uniform(2 * count).reshape(2, count)
    normal = np.sqrt(-2 * np.log1p(-radius)) * np.cos(2 * np.pi * angle)
    return np.rint(20_000 * normal).astype(int), 1_000_000


def _exact(cells: Any, denominator: int) -> Any:
    if isinstance(cells, list):
        return [_exact(cell, denominator) for cell in cells]
    return Rational(cells, denominator)
