r"""How things are usually spelled: a table each for functions, marks, signs and the sizes that letters have.

A function is known by the name of its class and by its notation; what stands here are further
spellings, compared without case and underscores. Operations are looked up when they are needed.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Any

from symtransformer.notation import Call
from symtransformer.operation import REGISTRY, Operation
from symtransformer.scalars import GREEK

SPELLINGS = {
    "attention": "ScaledDotProductAttention",
    "sdpa": "ScaledDotProductAttention",
    "head": "SingleHead",
    "mha": "MultiHeadAttention",
    "multihead": "MultiHeadAttention",
    "multiheadselfattention": "MultiHeadAttention",
    "gqa": "GroupedQueryAttention",
    "groupedquery": "GroupedQueryAttention",
    "concat": "Concatenation",
    "exp": "Exponential",
    "ffn": "FeedForward",
    "mlp": "FeedForward",
    "layernormalization": "LayerNorm",
    "causal": "CausalMask",
    "padding": "PaddingMask",
    "mask": "Mask",
    "swish": "SiLU",
    "hadamard": "Hadamard",
    "rowsum": "RowSum",
    "ones": "Ones",
}
EXACT = {"ln": "Logarithm", "LN": "LayerNorm", "Phi": "NormalDistribution"}  # in another case they mean something else
UNCLEAR = {
    "norm": "norm is written with its eps, as in norm(X, 0.00001); or LayerNorm(X), RMSNorm(X), Standardization(X, eps=...)",
    "rms": "rms could mean two things: RMSNorm(X), or the root mean square itself, written with its eps: rms(X, 0)",
    "std": "std is written with its eps, as in std(X, 0.00001); std(X, 0) is the root of the variance alone",
    "sigma": "sigma is a letter; the sigmoid is sigmoid(X), a product is sigma * (...)",
}  # for whom these names are functions, they are not all the same function
WITH_EPS = frozenset({"norm", "rms", "std"})  # it is never guessed
MASKS = frozenset({"CausalMask", "PaddingMask"})  # what is added as a mask: dropped scores, not a sum

# -- signs -----------------------------------------------------------------------------------------------
SIGNS = {
    "+": "PLUS", "-": "MINUS", "−": "MINUS", "*": "TIMES", "·": "TIMES", "×": "TIMES", "@": "AT", "/": "SLASH",
    "⋅": "TIMES", "⊙": "HADAMARD", "⊘": "ENTRYWISE_SLASH", "∘": "HADAMARD", "^": "CARET", "(": "LPAR", ")": "RPAR", "[": "LSQB", "]": "RSQB",
    "{": "LBRACE", "}": "RBRACE", ",": "COMMA", "=": "EQUALS", "&": "AMPERSAND", "√": "SQRT", "∞": "INFINITY",
    "ᵀ": "TRANSPOSE",
}  # fmt: skip
COMMANDS = {
    "cdot": "TIMES", "times": "TIMES", "odot": "HADAMARD", "oslash": "ENTRYWISE_SLASH", "circ": "HADAMARD", "infty": "INFINITY",
    "frac": "FRAC", "dfrac": "FRAC", "tfrac": "FRAC", "sqrt": "SQRT", "lbrack": "LSQB", "rbrack": "RSQB",
}  # fmt: skip
SPACES = frozenset(["!", ",", ";", ":", " ", "quad", "qquad", "left", "right", "big", "Big", "bigl", "bigr",
                    "Bigl", "Bigr", "displaystyle", "textstyle", "limits"])  # fmt: skip
UPRIGHT = frozenset(["operatorname", "mathrm", "text", "textrm", "mathsf", "mathtt"])
BOLD = frozenset(["mathbf", "boldsymbol", "bm", "mathit", "mathnormal"])
MATRIX_ENVIRONMENTS = frozenset(["bmatrix", "pmatrix", "matrix", "smallmatrix"])

FUNCTIONS_IN_LATEX = frozenset(["exp", "log", "ln", "tanh", "sin", "cos"])
GREEK_SIGNS = {
    unicodedata.lookup(f"GREEK SMALL LETTER {name.replace('mbda', 'mda')}"): name for name in GREEK if name.islower()
} | {"Γ": "Gamma", "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega"}  # Σ, Π and Δ are signs

# -- sizes: rows and columns that a letter usually has; the first free name of each list is taken -----------------
LETTER_SIZES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "X": (("n",), ("d_model",)),
    "Q": (("n",), ("d_k",)),
    "K": (("n", "m"), ("d_k",)),
    "V": (("n", "m"), ("d_v",)),
    "S": (("n",), ("m",)),
    "A": (("n",), ("m",)),
    "M": (("n",), ("m",)),
    "Z": (("n",), ("d_v",)),
    "E": (("vocab",), ("d_model",)),
    "W_Q": (("d_model",), ("d_k",)),
    "W_K": (("d_model",), ("d_k",)),
    "W_V": (("d_model",), ("d_v",)),
    "W_O": (("d_v",), ("d_model",)),
    "W_1": (("d_model",), ("d_ff",)),
    "b_1": (("d_ff",), ()),
    "W_2": (("d_ff",), ("d_model",)),
    "b_2": (("d_model",), ()),
}
ROWS = ("n", "m")  # then n_1, n_2, ...; other small letters are names of steps and indices
COLUMNS = ("d",)
SIZE_NAMES = frozenset(["n", "m", "d", "h", "N", "vocab"])


def is_size_name(name: str) -> bool:
    """n, m, h, d and d_k are sizes wherever nothing else is said."""
    return name in SIZE_NAMES or name.startswith("d_")


def is_greek_number(name: str) -> bool:
    """alpha, tau and eps beside a matrix are numbers where nothing else is said."""
    bare = name.rpartition(".")[2].partition("_")[0]
    return bare == "eps" or (bare in GREEK and bare.islower())


def is_bias_name(name: str) -> bool:
    """b and b_1, also in a namespace."""
    bare = name.rpartition(".")[2]
    return bare == "b" or bare.startswith("b_")


def is_vector_name(name: str) -> bool:
    """A small letter of its own: x, q, w_1; no Greek word, no bias."""
    bare = name.rpartition(".")[2].partition("_")[0]
    return len(bare) == 1 and bare.islower() and not is_bias_name(name)


# -- functions -------------------------------------------------------------------------------------------------
def _plain(spelling: str) -> str:
    return spelling.replace("_", "").casefold()


def _exactly(spelling: str) -> str:
    return f"={spelling}"


def known_functions() -> dict[str, type[Operation]]:
    """Every spelling, without case and underscores, with the operation that it means."""
    import symtransformer.operations as every  # an operation is known once its file is loaded

    assert every
    return _functions(len(REGISTRY))


@cache
def _functions(count: int) -> dict[str, type[Operation]]:
    """Worked out anew only when there are more operations."""
    found: dict[str, type[Operation]] = {}
    for spelling, name in SPELLINGS.items():
        if name in REGISTRY:
            found[_plain(spelling)] = REGISTRY[name]
    for operation in REGISTRY.values():
        if isinstance(operation.notation, Call):
            found.setdefault(_plain(operation.notation.name), operation)
    for name, operation in REGISTRY.items():
        found[_plain(name)] = operation
    for spelling in EXACT:
        found.pop(_plain(spelling), None)
    exact = {o.notation.name: o for o in REGISTRY.values() if isinstance(o.notation, Call)}  # rmsnorm is not RMSNorm
    return {
        **found,
        **{_exactly(s): o for s, o in exact.items()},
        **{_exactly(s): REGISTRY[n] for s, n in EXACT.items()},
    }


def function_named(spelling: str, known: dict[str, type[Operation]]) -> Any:
    """The operation of this spelling, or None."""
    return known.get(_exactly(spelling)) or known.get(_plain(spelling))


def closest_function(spelling: str) -> str:
    """A known spelling that may have been meant; "" where none is near.

    >>> closest_function("sofmax"), closest_function("LayrNorm"), closest_function("foo")
    ('softmax', 'LayerNorm', '')
    """
    import difflib

    known = known_functions()
    names = [name for name in known if not name.startswith("=")]
    close = difflib.get_close_matches(_plain(spelling), names, n=1, cutoff=0.75) if len(spelling) > 3 else []
    return spellings_of(known[close[0]])[0] if close else ""


def spellings_of(operation: type[Operation]) -> list[str]:
    """How it may be written in an expression: as it is printed, by its name, and otherwise."""
    usual = [operation.notation.name] if isinstance(operation.notation, Call) else []
    others = (s for s, name in (*SPELLINGS.items(), *EXACT.items()) if name == operation.__name__)
    every = [*usual, operation.__name__, *others]
    found: dict[str, str] = {}
    for spelling in every:
        found.setdefault(_plain(spelling), spelling)
    return list(found.values())
