r"""What names, numbers and marks look like, in plain text and in LaTeX; digits are 0 to 9 only."""

from __future__ import annotations

import re

NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?(?:[eE]([+-]?[0-9]+))?(?![A-Za-z0-9.])|[0-9]+(\.[0-9]+)?")
RUN = re.compile(r"[A-Za-z][A-Za-z0-9]*")
NAMESPACE = re.compile(r"[a-z][a-z0-9]{0,7}\.(?=[A-Za-z])(?!T(?![A-Za-z0-9_]))")
COMMAND = re.compile(r"\\([A-Za-z]+|.)", re.DOTALL)
WORD_IN_BRACES = re.compile(r"\s*\{\s*(?:\\(?=Phi\b))?([A-Za-z0-9_.]{1,40})\s*\}")
ONE_SYMBOL = re.compile(r"\s*([A-Za-z0-9])")
SET = r"\\(?:mathrm|text|operatorname|textrm|mathsf)"
LOW = re.compile(
    rf"_(?:([A-Za-z0-9]+)|\{{\s*(?:([A-Za-z0-9]{{1,15}})|{SET}\s*\{{\s*([A-Za-z0-9]{{1,15}})\s*\}})\s*\}})"
)
T = r"(?:T|\\top|\\intercal|⊤|\\(?:mathsf|mathrm|text|textrm|mathtt|rm|sf)\s*(?:\{\s*T\s*\}|\s+T|(?=T)T))"
RAISED_T = re.compile(rf"\s*(?:\{{\s*\}}\s*)?\^\s*(?:\{{\s*{T}\s*\}}|{T}(?![A-Za-z0-9_]))")
RAISED_T_WITH_INDEX = re.compile(r"\^\s*\{?T\}?_")
RAISED_T_IN_LATEX = re.compile(rf"\s*(?:\{{\s*\}}\s*)?\^\s*(?:\{{\s*{T}\s*\}}|{T})")
OPENS = re.compile(r"(?:\s|\\!|\\,|\\left|\\[bB]igl?)*\(")
OPENS_AT_ONCE = re.compile(r"(?:\\!|\\left|\\[bB]igl?)*\(")
RAISED = re.compile(r"\s*\^")
REST_OF_WORD = re.compile(r"[A-Za-z0-9_]*")
RAISED_NAME = re.compile(
    rf"\^(?:([A-Z])(?![A-Za-z0-9_])|\{{\s*(?:([A-Za-z][A-Za-z0-9]{{0,14}})|{SET}\s*\{{\s*([A-Za-z][A-Za-z0-9]{{0,14}})\s*\}})\s*\}})"
)
RAISED_NAMESPACE = re.compile(r"\^\{\s*\\mathrm\s*\{\s*([a-z][a-z0-9]{0,7})\s*\}\s*\}")
