"""Formulas as Python expressions: written as text for the library, evaluated by NumPy, and changed in one place.

NumPy decides which changed formulas are still true; it shares nothing with what is under test. Gradients are finite
differences of a program that runs the document's formulas forward.
"""

import ast
import copy

import numpy as np

RNG_SIZES = {"n": 3, "m": 4, "d_model": 5, "d_k": 2, "d_v": 6, "d_ff": 7, "d": 4}
STEP = 1e-5


def softmax(x):
    x = np.atleast_2d(x)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def rowsum(x):
    return x.sum(axis=1, keepdims=True)


def relu(x):
    return np.maximum(x, 0)


def erf(x):
    from math import erf as one

    return np.vectorize(one)(x)


FUNCTIONS = {
    "softmax": softmax, "rowsum": rowsum, "ReLU": relu, "sqrt": np.sqrt, "exp": np.exp, "tanh": np.tanh, "erf": erf,
    "Phi": lambda x: (1 + erf(x / np.sqrt(2))) / 2, "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "pi": np.pi,
    "mean": np.mean, "GELU": lambda x: x * (1 + erf(x / np.sqrt(2))) / 2,
}  # fmt: skip
SYMBOLS = {"gamma": "γ", "beta": "β", "mu": "μ", "sigma": "σ", "eps": "ε", "pi": "π"}


# -- as text ----------------------------------------------------------------------------------------------------------
def text(source):
    """The formula as a document would have it; `*` of matrices is ⊙, of numbers nothing."""
    return _text(ast.parse(source, mode="eval").body)


def _text(node):
    if isinstance(node, ast.BinOp):
        a, b = (_text(x) for x in (node.left, node.right))
        if isinstance(node.op, (ast.Add, ast.Sub)):
            right = (
                f"({b})" if isinstance(node.right, ast.BinOp) and isinstance(node.right.op, (ast.Add, ast.Sub)) else b
            )
            return f"{a} {'+' if isinstance(node.op, ast.Add) else '-'} {right}"
        a, b = (
            f"({t})" if isinstance(x, (ast.BinOp, ast.UnaryOp)) else t for t, x in ((a, node.left), (b, node.right))
        )
        signs = {ast.MatMult: " ", ast.Mult: " ⊙ ", ast.Div: " / ", ast.Pow: "^"}
        if isinstance(node.op, ast.Mult) and (_is_number(node.left) or _is_number(node.right)):
            return f"{a} * {b}" if _is_number(node.right) else f"{a} {b}"
        return f"{a}{signs[type(node.op)]}{b}"
    if isinstance(node, ast.UnaryOp):
        return f"-{_text(node.operand)}" if not isinstance(node.operand, ast.BinOp) else f"-({_text(node.operand)})"
    if isinstance(node, ast.Attribute):
        inner = _text(node.value)
        return f"{inner}^T" if isinstance(node.value, ast.Name) else f"({inner})^T"
    if isinstance(node, ast.Call):
        return f"{node.func.id}({', '.join(map(_text, node.args))})"
    if isinstance(node, ast.Constant):
        return str(node.value)
    return SYMBOLS.get(node.id, node.id)


def _is_number(node):
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.Name):
        return node.id.startswith("d_")
    if isinstance(node, ast.Call):
        return all(map(_is_number, node.args))
    return isinstance(node, ast.BinOp) and _is_number(node.left) and _is_number(node.right)


# -- by NumPy ---------------------------------------------------------------------------------------------------------
def value(source, names):
    return eval(
        compile(ast.parse(source, mode="eval"), "<formula>", "eval"), {"__builtins__": {}}, {**FUNCTIONS, **names}
    )


def inputs(shapes, seed):
    rng = np.random.default_rng(seed)
    sizes = {k: v for k, v in RNG_SIZES.items() if k.startswith("d_")}
    return {
        **sizes,
        **{name: rng.normal(size=tuple(RNG_SIZES.get(s, s) for s in shape)) for name, shape in shapes.items()},
    }


def forward(lines, names, override=None):
    """The document run from its inputs; `override` is a step that has a value of its own."""
    found = dict(names)
    for name, source in lines:
        found[name] = override[name] if override and name in override else value(source, found)
    return found


def with_gradients(lines, names, wanted, seed):
    """d-names by central differences of Σ C ⊙ (last line)."""
    base = forward(lines, names)
    target = lines[-1][0]
    weights = np.random.default_rng(seed + 100).normal(size=base[target].shape)

    def loss(name, x):
        given = {**names, name: x} if name in names else names
        return float((forward(lines, given, {name: x})[target] * weights).sum())

    found = dict(base)
    for name in wanted:
        x = base[name[1:]]
        grad = np.zeros_like(x)
        for at in np.ndindex(x.shape):
            moved = [x.copy(), x.copy()]
            moved[0][at] += STEP
            moved[1][at] -= STEP
            grad[at] = (loss(name[1:], moved[0]) - loss(name[1:], moved[1])) / (2 * STEP)
        found[name] = grad
    return found


def holds(left, right, lines, shapes, seeds=(1, 2, 3)):
    """Whether both sides are equal at random numbers of unequal sizes."""
    for seed in seeds:
        names = inputs(shapes, seed)
        wanted = sorted(
            {
                n.id
                for side in (left, right)
                for n in ast.walk(ast.parse(side))
                if isinstance(n, ast.Name) and n.id[0] == "d" and n.id[1:2].isupper()
            }
        )
        known = with_gradients(lines, names, wanted, seed) if wanted else forward(lines, names)
        try:
            a, b = (np.asarray(value(side, known), dtype=float) for side in (left, right))
        except ValueError:
            return False
        if a.shape != b.shape or not np.allclose(a, b, rtol=1e-6, atol=1e-7):
            return False
    return True


# -- one change -------------------------------------------------------------------------------------------------------
def mutants(source, letters):
    """Every formula with one sign, transpose, factor, order or letter changed."""
    tree = ast.parse(source, mode="eval")
    found = []
    places = list(ast.walk(tree))
    for k, place in enumerate(places):
        for change in _changes(place, letters):
            fresh = copy.deepcopy(tree)
            target = list(ast.walk(fresh))[k]
            new = change(target)
            made = _Replace(target, new).visit(fresh)
            found.append(ast.unparse(made))
    return [m for m in dict.fromkeys(found) if m != ast.unparse(tree)]


class _Replace(ast.NodeTransformer):
    def __init__(self, old, new):
        self.old, self.new = old, new

    def visit(self, node):
        return self.new if node is self.old else self.generic_visit(node)


def _changes(place, letters):
    if isinstance(place, ast.BinOp):
        other = {ast.Add: ast.Sub, ast.Sub: ast.Add}.get(type(place.op))
        if other:
            yield lambda n: ast.BinOp(n.left, other(), n.right)
            yield lambda n: n.left
        elif isinstance(place.op, (ast.Mult, ast.Div)):
            yield lambda n: n.left  # a factor or a scale is missing
        elif isinstance(place.op, ast.MatMult):
            yield lambda n: ast.BinOp(n.right, ast.MatMult(), n.left)
    elif isinstance(place, ast.Attribute):
        yield lambda n: n.value
    elif isinstance(place, ast.UnaryOp):
        yield lambda n: n.operand
    elif isinstance(place, ast.Call) and place.func.id in ("sqrt", "softmax", "rowsum", "ReLU", "Phi", "tanh"):
        yield lambda n: n.args[0]
    elif isinstance(place, ast.Name) and place.id in letters:
        for letter in letters:
            if letter != place.id:
                yield lambda n, letter=letter: ast.Name(letter)
        if place.id[0].isupper() or (place.id[:1] == "d" and place.id[1:2].isupper()):
            yield lambda n: ast.Attribute(ast.Name(n.id), "T")
    elif isinstance(place, ast.Constant):
        yield lambda n: ast.Constant(n.value + 1)
