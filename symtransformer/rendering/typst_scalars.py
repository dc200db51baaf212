"""Names and numbers as Typst writes them: SymPy's text printer, with fractions, roots and powers as they are set."""

from __future__ import annotations

from typing import Any

from sympy import S, fraction
from sympy.printing.precedence import PRECEDENCE, precedence
from sympy.printing.str import StrPrinter

from symtransformer.chosen_notation import Notation
from symtransformer.errors import NotSupported
from symtransformer.rendering.typst_text import quoted
from symtransformer.scalars import DIFFERENTIAL, GREEK, Decimals, plain_terms_first, primed, without_namespace

BOLD = {"italic": "{}", "bold": "upright(bold({}))", "bold-italic": "bold({})"}
FUNCTIONS = {"Max": "max", "Min": "min", "log": "log", "sin": "sin", "cos": "cos", "tanh": "tanh", "erf": "erf"}


class TypstScalars(Decimals, StrPrinter):
    factor_sign, digits_sign = " ", " dot "
    slashed = False  # fractions with a slash, as in exponents

    def __init__(self, dialect: Any = None) -> None:
        super().__init__()
        self.dialect = dialect

    def _as_ordered_terms(self, expr: Any, order: Any = None) -> list[Any]:
        return plain_terms_first(expr)

    def emptyPrinter(self, expr: Any) -> str:
        raise NotSupported(f"Typst: {type(expr).__name__} in a number is not written yet")

    def _print_Symbol(self, expr: Any) -> str:
        return typst_name(self._renamed(expr.name))

    def _print_Exp1(self, expr: Any) -> str:
        return "e"

    def _print_Pi(self, expr: Any) -> str:
        return "pi"

    def _print_Infinity(self, expr: Any) -> str:
        return "infinity"

    def _print_NegativeInfinity(self, expr: Any) -> str:
        return "-infinity"

    def _print_exp(self, expr: Any) -> str:
        return f"e^(larger({_Slashed(self.dialect).doprint(expr.exp)}))"

    def _print_floor(self, expr: Any) -> str:
        return f"floor({self._print(expr.args[0])})"

    def _print_Abs(self, expr: Any) -> str:
        return f"abs({self._print(expr.args[0])})"

    def _print_Mod(self, expr: Any) -> str:
        left, right = (self.parenthesize(a, PRECEDENCE["Mul"], strict=True) for a in expr.args)
        return f"{left} mod {right}"

    def _print_Function(self, expr: Any) -> str:
        name = type(expr).__name__
        shown = r"\, ".join(self._print(a) for a in expr.args)
        return f"op({quoted(FUNCTIONS.get(name, name))}) ({shown})"

    def _print_LatticeOp(self, expr: Any) -> str:
        return self._print_Function(expr)

    def _print_Rational(self, expr: Any) -> str:
        shown = super()._print_Rational(expr)
        if "/" not in shown:
            return shown
        sign = "-" if expr.p < 0 else ""
        return sign + self._quotient(str(abs(expr.p)), str(expr.q))

    def _quotient(self, above: str, below: str) -> str:
        if self.slashed:
            return rf"{above} \/ {below}"
        return "frac({}, {})".format(*(f"display({part})" if "frac(" in part else part for part in (above, below)))

    def _print_Mul(self, expr: Any) -> str:
        decimal = super()._print_Mul if self._has_decimal(expr) else None
        if decimal is not None:
            return str(decimal(expr))
        sign, expr = ("-", -expr) if expr.could_extract_minus_sign() else ("", expr)
        above, below = fraction(expr, exact=True)
        if below == 1:
            return sign + self._product(above)
        whole = not self.slashed
        shown = [self._product(x, fenced=not whole) for x in (above, below)]
        return sign + self._quotient(*shown)

    def _has_decimal(self, expr: Any) -> bool:
        from symtransformer.scalars import decimal_of

        number, rest = expr.as_coeff_Mul()
        plain = rest.free_symbols and rest.as_numer_denom()[1] == 1
        return decimal_of(number, in_a_formula=True) is not None and bool(plain)

    def _product(self, expr: Any, fenced: bool = False) -> str:
        if not expr.is_Mul:
            return self.parenthesize(expr, PRECEDENCE["Mul"]) if fenced else self._print(expr)
        text = ""
        for factor in expr.as_ordered_factors():
            shown = self.parenthesize(factor, PRECEDENCE["Mul"])
            text += (" dot " if text[-1:].isdigit() and shown[0].isdigit() else " " if text else "") + shown
        return text

    def _print_Pow(self, expr: Any, rational: bool = False) -> str:
        base, power = expr.base, expr.exp
        if power.is_Rational and power < 0:
            return self._quotient("1", self._print(1 / expr))
        if power == S.Half:
            return f"sqrt({self._print(base)})"
        if power.is_Rational and power.p == 1:
            return f"root({power.q}, {self._print(base)})"
        return f"{self._base(base)}^({_Slashed(self.dialect).doprint(power)})"

    def _base(self, base: Any) -> str:
        shown = self.parenthesize(base, PRECEDENCE["Pow"])
        if not base.is_Symbol and not base.is_Integer and precedence(base) >= PRECEDENCE["Pow"]:
            return f"({shown})"
        return shown


class _Slashed(TypstScalars):
    slashed = True


# -- names -----------------------------------------------------------------------------------
def typst_name(name: str) -> str:
    """d_model is d_("model"), W_Q is W_(Q), gamma is gamma."""
    base, low, marks = _parts(name.rstrip("_"))
    return _scripted(_shown(base), low and (low if len(low) == 1 else upright(low)), marks)


def letter_name(name: str, head: str, notation: Notation) -> str:
    """A letter with its label, its namespace and its head where the notation wants them."""
    namespace, bare = without_namespace(name)
    base, label, marks = _parts(bare)
    shown = [label if len(label) == 1 else upright(label)] if label else []
    low = [] if notation.is_raised(label) else shown
    marks += [*(shown if notation.is_raised(label) else []), *([upright(namespace)] if namespace else [])]
    if head and notation.heads == "subscript":
        low.append(head)
    elif head:
        marks.append(f"({head})")
    return _scripted(BOLD[notation.matrices].format(_shown(base)), r"\,".join(low), marks)


def entry_with(name: str, head: str, low: str, matrices: str = "italic") -> str:
    """q_(21), w_(12)^(Q), z_(2)^((1)): a small letter with its indices, already written."""
    namespace, name = without_namespace(name)
    base, mark, marks = _parts(name)
    if DIFFERENTIAL.fullmatch(base):
        base = base.lower()
    base = base[0].lower() + base[1:] if base not in GREEK else base
    marks += [f"({mark})" if mark.isdigit() else mark if len(mark) == 1 else upright(mark)] if mark else []
    marks += [upright(namespace)] if namespace else []
    marks += [f"({head})"] if head else []
    return _scripted(BOLD[matrices].format(_shown(base)), low, marks)


def upright(text: str) -> str:
    return text if text.isdigit() or text in GREEK else quoted(text)


def _parts(name: str) -> tuple[str, str, list[str]]:
    base, _, low = name.partition("_")
    base, prime = primed(base)
    return base, low, [prime.replace(r"\prime", "prime ").strip()] if prime else []


def _shown(base: str) -> str:
    if base in GREEK or len(base) == 1:
        return base
    if base[0] == "d" and base[1:] in GREEK:
        return f"d {base[1:]}"
    return f"italic({quoted(base)})" if DIFFERENTIAL.fullmatch(base) else quoted(base)


def _scripted(base: str, low: str, marks: list[str]) -> str:
    above = r"\,".join(marks)
    return base + (f"_({low})" if low else "") + (f"^({above})" if above else "")
