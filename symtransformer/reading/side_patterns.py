r"""The patterns by which the tokens of a side are found; digits are 0 to 9 only."""

from __future__ import annotations

import re

from symtransformer.reading.side_settings import GROUP

FULL_WIDTH = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)} | {0x3000: " ", 0xA0: " ", ord("、"): ","}
LOW = "₀₁₂₃₄₅₆₇₈₉ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥ"
FROM_LOW = str.maketrans(LOW, "0123456789aeoxhklmnpstijruv")
RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"
FROM_RAISED = str.maketrans(RAISED, "0123456789+-")
LETTER = rf"[^\W\d_ᵀª-º¼-¾⅐-⅞\u0370-\u03FF{LOW}{RAISED}∑√∞ⁱⁿ]"
TOKEN = re.compile(
    rf"""(?P<space>[ \t\r\n~]+)
|(?P<grouped>[0-9]{{1,3}}(?:(?:,|\{{,\}})[0-9]{{3}}){{2,}}(?![0-9]|,[0-9]|\{{,))
|(?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][+\-−]?[0-9]+(?![A-Za-z0-9_]))?)
|(?P<vulgar>[¼½¾⅐-⅞])
|(?P<word>{LETTER}(?:{LETTER}|[0-9\u0300-\u036F])*)
|(?P<greek>[\u0370-\u03FF])
|(?P<raised>[{RAISED}]+)
|(?P<low_sign>[{LOW}]+)
|(?P<upto>\.\.(?!\.))
|(?P<dots>\.\.\.|…|⋯|‥)
|(?P<method>\.(?:m?T(?![A-Za-z0-9_(])|t\(\)|transpose\ *\([-−0-9, ]*\)))
|(?P<command>\\(?:[A-Za-z]+\*?|.|$))
|(?P<sign>.)""",
    re.VERBOSE | re.DOTALL,
)
SET = r"\\(?:mathrm|text|operatorname|textrm|mathsf|mathtt|mathit|mathbf|textit|textbf|mbox|rm)\*?"
WORD = re.compile(r"\s*\{((?:[^{}\\]|\\[_ ,;!%])*)\}")
LOW_IN_TEXT = re.compile(rf"_(?:((?:{LETTER}|[0-9])+(?:_(?:{LETTER}|[0-9])+)*)|{GROUP})")
LOW_IN_LATEX = re.compile(
    rf"\s*_\s*(?:({LETTER}|[0-9])|{GROUP}|({SET}\s*\{{[^{{}}]*\}}|\\[A-Za-z]+(?:\s+{LETTER})?|[\u0370-\u03FF]))"
)
ONE_IN_A_CELL = re.compile(r"\s*\{\s*1\s*\}\s*(?:&|\\\\|\\end\b|\]|,)")
BOLD_ONE = re.compile(r"\s*(?:\{\s*1\s*\}|1(?![0-9.]))")
MORE_LOW = re.compile(r"(?:,[0-9]+)+(?![0-9.A-Za-z])")
BOUND = re.compile(
    rf"(?:\s|\\n?o?limits|\\,)*(?:_\s*(?:{GROUP}|({LETTER}|[0-9]))|([{LOW}]+))?"
    rf"(?:\s|\\n?o?limits)*(?:\^\s*(?:{GROUP}|({LETTER}+|[0-9]+)))?"
)
PRIME = re.compile(r"\^\s*(?:\\prime|\{\s*\\prime\s*\})")
ONE_LETTER = re.compile(rf"\s*(\{{)?\s*({LETTER})(?(1)\s*\}})")
ENVIRONMENT = re.compile(r"\s*\{([A-Za-z]+)\*?\}")
SPACING = re.compile(r"\s*\[[-0-9.]+ ?(?:pt|em|ex|mm|cm|px)\]")
PLAIN_MODULES = re.compile(r"(?:np|numpy|torch|nn\.functional|F|math|jnp|tf\.nn|tf)\.(?=[A-Za-z])")
IN_PLACE = re.compile(
    rf"[a-z][a-z0-9]{{0,7}}\.(?!m?T(?![A-Za-z0-9_(])|t\(\)|transpose\b){LETTER}(?:{LETTER}|[0-9\u0300-\u036F])*"
)
IN_BRACES = re.compile(rf"\s*\{{\s*({LETTER}+|\\[A-Za-z]+)\s*\}}")
