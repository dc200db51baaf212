"""Words as Markdown, and words inside of a formula as KaTeX and MathJax both read them: as text and nothing else."""

from __future__ import annotations

import re

from symtransformer.rendering.visible import visible

# No [ is escaped: without its ] it begins no link, and \[ begins a formula for some readers.
_SPECIAL = re.compile(r"([\\`*_{}\]<>|~&$#!])")
_DOUBLED = re.compile(r"(?<==)(?==)|(?<=%)(?=%)|(?<=\+)(?=\+)|(?<=\^)(?=\^)|(?<=:)(?=:)|(?<=\))(?==)")
_AT_THE_START = re.compile(r"^(?:(?=[-+=%:])|(\d{1,9})(?=[.)]))")
_LINKED = re.compile(
    r"(?<=@)(?=\w)|(?<=[:/])(?=/)|(?<=www)(?=\.)|(?<=#)(?=\d)|(?<=:)(?=[a-z+-]\w{1,40}:)", re.IGNORECASE
)
NO_LETTER = "◌"
_BACKSLASH, _DOLLAR = "&#92;", "<span>&#36;</span>"

# What \text{} does not show alike in KaTeX and MathJax stands beside it, as mathematics.
_IN_MATH = {
    "\\": r"\backslash ", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\hat{\,}", "~": r"\sim ", "<": r"\lt ", ">": r"\gt ", "|": r"\vert ", "*": r"\ast ", "`": r"\grave{\,}",
    "[": r"\lbrack ", "]": r"\rbrack ",
    "≈": r"\approx ", "−": "{-}", "∞": r"\infty ", "√": r"\surd ", "·": r"\cdot ", "×": r"\times ", "⊙": r"\odot ",
    "⊘": r"\oslash ", "≤": r"\le ", "≥": r"\ge ", "ε": r"\epsilon ", "δ": r"\delta ", "∂": r"\partial ",
    "Σ": r"\Sigma ",
}  # fmt: skip
# Signs that KaTeX knows in formulas alone.
_SIGNS = "‼ℋℌℐℒℛℨℬℭℰℱℳ↤∉∌∏∐∑∫∬∭∮∯∰∷∹≔≕≘≙≚≛≝≞≟≠⋀⋁⋂⋃⌜⌝⌞⌟⟂⟦⟧⦃⦄⦵⨀⨁⨂⨄⨆⩴"
_IN_MATH |= {sign: f"{{{sign}}}" for sign in _SIGNS}
_MARK = re.compile("^(?=[\u0300-\u036f])")  # on no letter of its own
_RUNS = re.compile(f"[{re.escape(''.join(_IN_MATH))}]|[^{re.escape(''.join(_IN_MATH))}]+")
_LIGATURES = re.compile(r"(?<=-)(?=-)|(?<=')(?=')")  # KaTeX makes one sign of two


def escape(text: str) -> str:
    r"""Text in which nothing is markup, a link or a mention.

    >>> print(escape("a|b <i> $5$ *c*"))
    a\|b \<i\> \$5\$ \*c\*
    """
    return _LINKED.sub("<!-- -->", _DOUBLED.sub(r"\\", _SPECIAL.sub(r"\\\1", text)))


def escape_where_dollars_are_searched(text: str) -> str:
    r"""As `escape`, for hosts that look for $ and \( in what Markdown has left.

    >>> print(escape_where_dollars_are_searched("$5 *c*"))
    <span>&#36;</span>5 \*c\*
    """
    return escape(text).replace("\\\\", _BACKSLASH).replace(r"\$", _DOLLAR)


def at_the_start(block: str) -> str:
    r"""A paragraph that begins no list and underlines nothing, its words escaped already.

    >>> print(at_the_start("1. May"), at_the_start("- 2"))
    1\. May \- 2
    """
    return _AT_THE_START.sub(r"\1\\", block)


def in_math(text: str, command: str = r"\text") -> str:
    r"""Words inside of a formula.

    >>> print(in_math("50 % off"))
    \text{50 }\%\text{ off}
    """
    runs = _RUNS.findall(visible(text).replace("\n", " "))
    parts = [part for run in runs for part in ([run] if run in _IN_MATH else _LIGATURES.split(run))]
    shown = "".join(_IN_MATH.get(part) or f"{command}{{{_MARK.sub(NO_LETTER, part)}}}" for part in parts)
    return shown if command in shown else f"{command}{{}}{shown}"  # signs alone would be read as a formula
