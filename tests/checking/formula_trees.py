"""How the tests show what was read of a formula: {a b /c} is a product, (+a -b) a sum, <x>[i] an entry, Σ[j..n] a sum over j."""

from symtransformer.checking.formula_names import Names
from symtransformer.checking.formula_reading import read_formula
from symtransformer.checking.formula_syntax import (
    Call,
    Delta,
    Derivative,
    Factors,
    Indexed,
    Named,
    Number,
    Power,
    Terms,
    Total,
    Transposed,
)


def tree(part):
    match part:
        case Number(text):
            return text
        case Named(name, indices):
            return f"{name}[{','.join(indices)}]" if indices else name
        case Delta(left, right):
            return f"δ[{left},{right}]"
        case Derivative(above, below):
            return f"∂{tree(above)}/∂{tree(below)}"
        case Indexed(inner, indices):
            return f"<{tree(inner)}>[{','.join(indices)}]"
        case Total(letter, upper, condition, body):
            return (
                f"Σ[{letter}{'..' + upper if upper else ''}{' ' + ''.join(condition) if condition else ''}]{tree(body)}"
            )
        case Terms(terms):
            return "(" + " ".join(sign + tree(term) for sign, term in terms) + ")"
        case Factors(factors):
            return "{" + " ".join(sign + tree(factor) for sign, factor in factors) + "}"
        case Power(base, exponent):
            return f"{tree(base)}^{tree(exponent)}"
        case Transposed(inner):
            return f"{tree(inner)}ᵀ"
        case Call(function, arguments, words):
            inside = [*map(tree, arguments), *(f"{name}={tree(value)}" for name, value in words)]
            return f"{function}({', '.join(inside)})"
    return repr(part)


def read(text, known=(), functions=(), latex=False):
    return read_formula(text, Names(known), functions, latex)
