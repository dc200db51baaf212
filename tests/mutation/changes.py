"""Small changes of code, each of which some test has to notice: a comparison, an operator, a condition, a number."""

import ast

SWAPPED = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot,
    ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Add, ast.Pow: ast.Mult, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


def places(source):
    """(number of a node, what can be done to it) of every small change."""
    tree = ast.parse(source)
    skipped = _not_code(tree)
    return [
        (number, what)
        for number, node in enumerate(ast.walk(tree))
        if id(node) not in skipped
        for what in _changes(node)
    ]


def mutant(source, number, what):
    """(line, what was done, mutated tree) of one of them."""
    tree = ast.parse(source)
    node = next(other for k, other in enumerate(ast.walk(tree)) if k == number)
    line, said = node.lineno, f"{what}: {ast.unparse(node).splitlines()[0][:70]}"
    _change(node, what)
    ast.fix_missing_locations(tree)
    return line, said, tree


def _not_code(tree):
    """Annotations, docstrings, imports, the heads of dataclasses, and `strict` of a zip, which asserts only."""
    found = set()
    for node in ast.walk(tree):
        inner = [getattr(node, field, None) for field in ("annotation", "returns")]
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            inner.append(node)
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            inner += node.decorator_list
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript):
            if isinstance(node.targets[0], ast.Name) and node.targets[0].id in ("Cells", "Job", "Source"):
                inner.append(node)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            inner.append(node)
        if isinstance(node, ast.keyword) and node.arg == "strict":
            inner.append(node)
        for part in inner:
            found |= {id(n) for n in ast.walk(part)} if part is not None else set()
    return found


def _changes(node):
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in SWAPPED:
        yield "other comparison"
        if isinstance(node.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE)):
            yield "turned comparison"
    elif isinstance(node, (ast.BinOp, ast.BoolOp)) and type(node.op) in SWAPPED and not _is_of_text(node):
        yield "other operator"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield "operator left out"
    elif isinstance(node, (ast.If, ast.IfExp, ast.While)):
        yield "condition reversed"
    elif isinstance(node, ast.Return) and node.value is not None and not _is_constant(node.value, None):
        yield "nothing returned"
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield "other truth"
    elif isinstance(node, ast.Constant) and isinstance(node.value, int) and hasattr(node, "lineno"):
        yield "one more"
    elif isinstance(node, (ast.AugAssign, ast.Continue, ast.Break)) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ):
        yield "left out"


def _is_constant(node, value):
    return isinstance(node, ast.Constant) and node.value is value


def _is_of_text(node):
    return isinstance(node, ast.BinOp) and any(
        isinstance(side, (ast.JoinedStr, ast.List, ast.Tuple))
        or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in (node.left, node.right)
    )


def _change(node, what):
    if what == "other comparison":
        node.ops = [SWAPPED[type(node.ops[0])]()]
    elif what == "turned comparison":
        node.ops = [ast.Gt() if isinstance(node.ops[0], (ast.Lt, ast.LtE)) else ast.Lt()]
    elif what == "other operator":
        node.op = SWAPPED[type(node.op)]()
    elif what == "operator left out":
        _become(node, node.operand)
    elif what == "condition reversed":
        node.test = ast.UnaryOp(ast.Not(), node.test)
    elif what == "nothing returned":
        node.value = ast.Constant(None)
    elif what == "other truth":
        node.value = not node.value
    elif what == "one more":
        node.value += 1
    else:
        _become(node, ast.Pass())


def _become(node, other):
    at = {name: getattr(node, name) for name in ("lineno", "col_offset", "end_lineno", "end_col_offset")}
    node.__class__ = other.__class__
    node.__dict__.clear()
    node.__dict__.update({**other.__dict__, **at})
