r"""Names of letters as documents write them, and names that the library's readers take: 漆器 is Word1, Q' is Qprime."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence

from symtransformer.reading.vocabulary import GREEK_SIGNS
from symtransformer.scalars import GREEK

SAFE_BASE = re.compile(r"[A-Za-z][A-Za-z0-9]{0,15}")
SAFE_LOW = re.compile(r"[A-Za-z0-9]{1,15}")
SIGNS = {
    **GREEK_SIGNS,
    "ϕ": "phi",
    "ϵ": "epsilon",
    "ℓ": "ell",
    "Φ": "Phi",
    "Σ": "Sigma",
    "Δ": "Delta",
    "Θ": "Theta",
    "Λ": "Lambda",
}
COMMANDS = {
    **{name: name for name in GREEK},
    "varepsilon": "epsilon",
    "varphi": "phi",
    "vartheta": "theta",
    "ell": "ell",
}
CAPITAL_GREEK = frozenset(("Phi", "Sigma", "Delta", "Theta", "Lambda"))
INDEX_LETTERS = frozenset("abcfghijklmnpqrstuvw")
OWN_INDEX = {"W": "qkvo", "w": "qkvo", "b": "qkvo"}  # W_q is a name, not a row of W
RAISED_LETTERS = re.compile(r"(?<![A-Za-z\\])([A-Za-z])\s*\^\s*\{\s*([a-z]{2,6})\s*\}")
RAISED_TO = re.compile(r"(\\[a-z]+|(?<![A-Za-z\\])[a-z]|[α-ω])\s*\^\s*(?:\{\s*[a-z]\s*\}|[a-z](?![A-Za-z]))")
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
SIZES = frozenset("dnNhHTL")  # d_k, n_k: sizes of their own


class Names:
    """The names of one document; each has one safe spelling, and is shown as it was first written."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self.shown: dict[str, str] = {}
        self.words: dict[str, str] = {}
        self.phrases: dict[str, str] = {}  # Word3: Attention Weight
        self.known: set[str] = set(known)
        self.powers = frozenset("e")  # what is raised to powers: e^{ab} is no name
        self.inner: dict[str, str] = {}  # names that only the program uses, as they are shown: Aold1 is A⁽¹⁾

    def copy(self) -> Names:
        made = Names(self.known)
        made.shown, made.words, made.phrases = dict(self.shown), dict(self.words), dict(self.phrases)
        made.powers = self.powers
        made.inner = self.inner  # what is said of a copy is said of the same names
        return made

    def safe(self, base: str, low: str, shown: str) -> str:
        """The safe spelling of a name with what stands below it."""
        plain = base if SAFE_BASE.fullmatch(base) else self._word(base)
        mark = low if not low or SAFE_LOW.fullmatch(low) else self._word(low).lower()
        name = f"{plain}_{mark}" if mark else plain
        if name != shown:
            self.shown.setdefault(
                name, re.sub(r"_\{([0-9]+)\}", lambda m: "".join("₀₁₂₃₄₅₆₇₈₉"[int(c)] for c in m.group(1)), shown)
            )
        return name

    def raise_powers(self, texts: Sequence[str], known: Container[str]) -> None:
        """x^{ab} beside x^a is a power too, and where x, a and b have values; W^{enc} stays a name."""
        found = {base.lstrip("\\") for text in texts for base in RAISED_TO.findall(text)}
        found |= {
            m[0] for text in texts for m in RAISED_LETTERS.findall(text) if all(x in known for x in (m[0], *m[1]))
        }
        self.powers = frozenset({"e"} - self.known | {COMMANDS.get(base, SIGNS.get(base, base)) for base in found})

    def _word(self, text: str) -> str:
        return self.words.setdefault(text, f"Word{len(self.words) + 1}")

    def phrase(self, text: str) -> str | None:
        """The name that several words of plain text are together: Attention Weight."""
        shown = " ".join(text.split())
        if shown not in self.words and not re.fullmatch(r"[A-Za-z][A-Za-z]+(?: [A-Za-z][a-z]+){1,4}", shown):
            return None
        name = self._word(shown)
        self.phrases[name] = self.shown[name] = shown
        self.known.add(name)
        return name

    def with_phrases(self, text: str) -> str:
        for name, shown in self.phrases.items():
            text = re.sub(rf"(?<![A-Za-z]){re.escape(shown)}(?![A-Za-z])", name, text)
        return text

    def keep_former(self, safe: str, name: str, count: int) -> None:
        """A value that a name had before the present one is shown as A⁽¹⁾, and not by the name that it is kept under."""
        self.inner[safe] = f"{self.shown.get(name, name)}⁽{str(count).translate(RAISED)}⁾"

    def back(self, text: str) -> str:
        """A text of the library in the document's own names; a gradient is the d before a name."""
        shown = {name: sign for name, sign in self.shown.items() if _is_made_up(name, sign)}
        for name, sign in {**shown, **self.inner}.items():
            if name in text:
                whole = re.compile(rf"(?<![A-Za-z0-9_])(d{{0,2}}){re.escape(name)}(?![A-Za-z0-9_])")
                text = whole.sub(lambda found, sign=sign: found.group(1) + sign, text)  # type: ignore[misc]
        return text


def _is_made_up(name: str, shown: str) -> bool:
    is_sign = len(shown) == 1 and not shown.isascii()  # θ
    return is_sign or "Word" in name or "word" in name or "prime" in name


def is_index(base: str, low: str) -> bool:
    """Whether what stands below is one or two index letters or places: q_i, s_ij, a_{2,1}; not W_Q, d_k, V_1, x_model."""
    if base in SIZES:
        return False
    marks = re.findall(r"[A-Za-z]+|[0-9]+", low)
    if "," in low:
        return all((len(m) == 1 and m in INDEX_LETTERS) or m.isdigit() for m in marks) and 1 < len(marks) <= 3
    if not low.isalpha() or not low.islower() or len(low) > 3 or not set(low) <= INDEX_LETTERS:
        return False
    return not (len(low) == 1 and low in OWN_INDEX.get(base, ""))


def indices_of(low: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[a-z]|[0-9]+", low))
