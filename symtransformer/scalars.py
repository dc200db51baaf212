r"""Names and numbers as this field writes them: SymPy's printers, with our letters and decimals."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from sympy import Expr, Function, Mod, Rational, floor
from sympy.printing.latex import LatexPrinter
from sympy.printing.precedence import PRECEDENCE
from sympy.printing.str import StrPrinter

GREEK = frozenset(
    [
        "alpha",
        "beta",
        "gamma",
        "delta",
        "epsilon",
        "zeta",
        "eta",
        "theta",
        "iota",
        "kappa",
        "lambda",
        "mu",
        "nu",
        "xi",
        "pi",
        "rho",
        "sigma",
        "tau",
        "upsilon",
        "phi",
        "chi",
        "psi",
        "omega",
        "Gamma",
        "Delta",
        "Theta",
        "Lambda",
        "Xi",
        "Pi",
        "Sigma",
        "Upsilon",
        "Phi",
        "Psi",
        "Omega",
    ]
)


# -- numbers ---------------------------------------------------------------------------------
def plain_terms_first(expr: Any) -> list[Any]:
    """1 + e^x and 1 - t/2: numbers first, then constants, then the rest, each as SymPy keeps them."""
    return sorted(expr.args, key=lambda a: 0 if a.is_Rational else 2 if a.free_symbols else 1)


DECIMALS_AT_MOST = 12


def decimal_of(value: Any, in_a_formula: bool = False) -> str | None:
    """1/100000 as 0.00001; None for what does not end soon, and inside of a formula for halves, quarters, ..."""
    if not isinstance(value, Rational) or value.q == 1 or (in_a_formula and value.q % 5):
        return None
    places = next((k for k in range(1, DECIMALS_AT_MOST + 1) if 10**k % value.q == 0), None)
    if places is None:
        return None
    whole, rest = divmod(abs(value.p) * 10**places // value.q, 10**places)
    return f"{'-' if value.p < 0 else ''}{whole}.{rest:0{places}d}"


class Decimals:
    """0.044715 x and var + 0.00001: a factor of letters, or a term, as the decimal that was given."""

    factor_sign: str
    digits_sign: str
    dialect: Any = None  # which asks, and whose notation may give names of its own

    def _renamed(self, name: str) -> str:
        return name if self.dialect is None else str(self.dialect.notation.renamed(name))

    def _print_Rational(self, expr: Any) -> str:
        return decimal_of(expr, in_a_formula=True) or super()._print_Rational(expr)  # type: ignore[misc]

    def _print_Mul(self, expr: Any) -> str:
        number, rest = expr.as_coeff_Mul()
        text = decimal_of(number, in_a_formula=True)
        if text is None or not rest.free_symbols or rest.as_numer_denom()[1] != 1 or rest.has(Mod):
            return super()._print_Mul(expr)  # type: ignore[misc]
        shown = self.parenthesize(rest, PRECEDENCE["Mul"], strict=True)  # type: ignore[attr-defined]
        return f"{text}{self.factor_sign if not shown[0].isdigit() else self.digits_sign}{shown}"


class LatexScalars(Decimals, LatexPrinter):
    """Numbers and names as LaTeX; entries of letters by the dialect that asks."""

    factor_sign, digits_sign = " ", r" \cdot "

    def __init__(self, dialect: Any = None) -> None:
        super().__init__()
        self.dialect = dialect

    def _as_ordered_terms(self, expr: Any, order: Any = None) -> list[Any]:
        return plain_terms_first(expr)

    def _print_Symbol(self, expr: Any, style: str = "plain") -> str:
        return latex_name(self._renamed(expr.name))

    def _print_exp(self, expr: Any, exp: Any = None) -> str:
        text = f"e^{{{_Slashed(self.dialect).doprint(expr.exp)}}}"  # e^{-\\sqrt{2} / 4}: a fraction would be too small to read
        return self._do_exponent(text, exp)


class TextScalars(Decimals, StrPrinter):
    """Numbers and names as text."""

    factor_sign = digits_sign = "*"

    def __init__(self, dialect: Any = None) -> None:
        super().__init__()
        self.dialect = dialect

    def _print_Symbol(self, expr: Any) -> str:
        return self._renamed(str(expr.name))

    def _print_Pow(self, expr: Any, rational: bool = False) -> str:
        return super()._print_Pow(expr, rational).replace("**", "^")

    def _print_Exp1(self, expr: Any) -> str:
        return "e"

    def _as_ordered_terms(self, expr: Any, order: Any = None) -> list[Any]:
        return plain_terms_first(expr)


class _Slashed(LatexScalars):
    """Fractions with a slash, for exponents."""

    def _print_Rational(self, expr: Any) -> str:
        return decimal_of(expr, in_a_formula=True) or (str(expr.p) if expr.q == 1 else f"{expr.p}/{expr.q}")

    def _print_Pow(self, expr: Any) -> str:
        return self._quotient(expr) or super()._print_Pow(expr)

    def _print_Mul(self, expr: Any) -> str:
        given = decimal_of(expr.as_coeff_Mul()[0], in_a_formula=True) and expr.free_symbols
        return (None if given else self._quotient(expr)) or super()._print_Mul(expr)

    def _quotient(self, expr: Any) -> str | None:
        """2/\\tau and 3/(2 \\tau); nothing where nothing is divided by."""
        above, below = expr.as_numer_denom()
        if below == 1:
            return None
        sign, above = ("-", -above) if above.could_extract_minus_sign() else ("", above)
        shown = self._print(above) if above.is_Mul else self.parenthesize(above, PRECEDENCE["Mul"])
        return f"{sign}{shown}/{self.parenthesize(below, PRECEDENCE['Pow'], strict=True)}"


LATEX_SCALARS = LatexScalars()


# -- names -----------------------------------------------------------------------------------
def latex_name(name: str) -> str:
    """d_model is d_{\\mathrm{model}}, W_Q is W_{Q}, gamma is \\gamma."""
    base, _, low = name.rstrip("_").partition("_")
    base, prime = primed(base)
    if prime:
        return f"{_shown(base)}_{{{low}}}^{{{prime}}}" if low else f"{_shown(base)}^{{{prime}}}"
    shown = _shown(base)
    return f"{shown}_{{{low if len(low) == 1 else upright(low)}}}" if low else shown


def _shown(base: str) -> str:
    """gamma, Q, dQ and dgamma, which are set as d\\gamma, and any longer word upright."""
    if base in GREEK:
        return "\\" + base
    if base[0] == "d" and base[1:] in GREEK:
        return rf"d\{base[1:]}"
    return base if len(base) == 1 else rf"\mathit{{{base}}}" if DIFFERENTIAL.fullmatch(base) else upright(base)


DIFFERENTIAL = re.compile("d[A-Za-z][0-9]*")  # the cotangent of a letter


def primed(base: str) -> tuple[str, str]:
    """The second sigma, named sigma2, is written with a prime."""
    letters = base.rstrip("0123456789")
    if letters == base or letters.removeprefix("d") not in GREEK:
        return base, ""
    number = int(base[len(letters) :])
    return letters, r"\prime" * (number - 1) if 2 <= number <= 4 else f"[{number}]"


def without_namespace(name: str) -> tuple[str, str]:
    """enc1.W_Q is W_Q in the namespace enc1."""
    namespace, _, rest = name.rpartition(".")
    return namespace, rest


def collides_with_entries(name: str, planned: set[str]) -> bool:
    """Whether the entries of another letter would be written like this one: c beside C."""
    capital = _with_capital(name)
    return capital != name and capital in planned


def _with_capital(name: str) -> str:
    """C for c: the letter whose entries are written like this one's."""
    place, bare = without_namespace(name)
    base = bare.partition("_")[0]
    capital = bare if base in GREEK or len(base) > 1 else bare[0].upper() + bare[1:]
    return f"{place}.{capital}" if place else capital


def another_name(name: str, number: int, taken: set[str]) -> str:
    """Z_2 beside Z; sigma2, written with a prime, beside sigma; a letter of its own beside c, whose row 2 is c_2."""
    place, name = without_namespace(name)
    place = f"{place}." if place else ""
    base, _, low = name.partition("_")
    if base in GREEK:
        return place + (f"{base}{number}_{low}" if low else f"{base}{number}")
    if base[0].islower():
        used = {without_namespace(other)[1][0].lower() for other in taken}
        free = [letter for letter in "cgfpqrvwyz" if letter not in used]
        return place + (free[0] if free else f"{base}{number}")
    return place + (f"{base}{number}_{low}" if low else f"{base}_{number}")


OTHER_LETTERS = "BCDEFGHUTRNV"  # for what would have the name of something else


def other_letter(name: str, taken: Iterable[str]) -> str:
    """C for the concatenation where Y is an input: Y_2 would look like a second one of its kind.

    A name of more than one letter stays, and so does one for which no letter is free.
    """
    place, bare = without_namespace(name)
    if len(bare) != 1 or not bare.isupper():
        return name
    used = {without_namespace(other)[1].partition("_")[0].rstrip("0123456789").lower() for other in taken}
    used |= {x[1:] for x in used if len(x) == 2 and x[0] == "d"}
    free = next((letter for letter in OTHER_LETTERS if letter.lower() not in used), bare)
    return f"{place}.{free}" if place else free


def upright(text: str) -> str:
    return text if text.isdigit() else "\\" + text if text in GREEK else rf"\mathrm{{{text}}}"


def entry_name(name: str, head: Expr | None = None) -> tuple[str, str]:
    """Base and upper mark for entries: W_Q gives w and Q, Z_1 gives z and (1)."""
    namespace, name = without_namespace(name)
    base, _, low = name.partition("_")
    base, prime = primed(base)
    if DIFFERENTIAL.fullmatch(base):
        base = base.lower()
    base = base[0].lower() + base[1:] if base not in GREEK else base
    marks = [prime] if prime else []
    marks += [f"({low})" if low.isdigit() else low if len(low) == 1 else upright(low)] if low else []
    if namespace:
        marks.append(upright(namespace))
    if head is not None:
        marks.append(f"({LATEX_SCALARS.doprint((head + 1).expand())})")
    return latex_name(base), ",".join(marks)


# -- code -------------------------------------------------------------------------------------------
class _WholeQuotient(Function):
    """⌊a / b⌋ of whole numbers, for code."""

    def _numpycode(self, printer: Any) -> str:
        above, below = (printer.doprint(x) for x in self.args)
        return f"(({above}) // ({below}))"


def index_code(index: Any, code: Any) -> str:
    """A place, a size or a head as code; ⌊a / b⌋ is a // b there, since doubles make 49 times 1/49 less than 1."""
    return str(code.doprint(index.replace(floor, lambda x: _WholeQuotient(*x.as_numer_denom()))))
