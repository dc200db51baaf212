"""Write the gradient of every operation and block: one LaTeX document for each language, and a NumPy module each.

    python .ci/gradient_pages.py FOLDER

What the pages say is tested elsewhere; here they are only set in type, and compared over hash seeds.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import symtransformer.operations
from symtransformer.errors import UnreadableInput
from symtransformer.gradients import Gradient, differentiate
from symtransformer.numpy_module import as_numpy_module
from symtransformer.operation import REGISTRY, Operation
from symtransformer.reading import read_expression
from symtransformer.reading.operation_letters import arguments_of, as_expression, missing_arguments
from symtransformer.rendering import render
from symtransformer.usual_names import derive_named

GIVEN = {"columns": "6", "rows": "6", "start": "1", "heads": "h", "groups": "h"}  # every other size is 2
SHAPES = {"ColumnPad": "A: n 3\n", "RowPad": "A: 3 m\n"}
OTHERS = {
    "attention": "softmax(Q K^T / sqrt(d_k)) V",
    "classifier": "CrossEntropy(X W + b, Y)",
    "gated": "LayerNorm(X + SwiGLU(X, W_1, W_2, W_3), gamma, beta)",
}
assert symtransformer.operations


def expression_of(operation: type[Operation]) -> str:
    """The operation on letters, with letters for its numbers."""
    wanted = missing_arguments(operation, {})
    given = {a.key: GIVEN.get(a.key, "2") if a.parameter.kind == "size" else "tau" for a in wanted}
    matrices = [a.key for a in arguments_of(operation) if a.is_matrix]
    return SHAPES.get(operation.__name__, "") + as_expression(operation, given, matrices)


def gradients() -> dict[str, Gradient]:
    texts = {name: expression_of(operation) for name, operation in sorted(REGISTRY.items())} | OTHERS
    forwards = {name: derive_named(read_expression(text).names) for name, text in texts.items()}
    return {name: differentiate(forward) for name, forward in forwards.items() if forward.inputs}


def document(pages: list[str]) -> str:
    """One document with the bodies of all; what each has labels of its own for has the same name in all of them."""
    pages = [re.sub(r"\\label\{step:[^{}]*\}", "", page) for page in pages]
    begin = "\\begin{document}\n"
    heads = [line for page in pages for line in page.partition(begin)[0].splitlines(keepends=True)]
    head = "".join(
        dict.fromkeys(line for line in heads if not line.startswith("%"))
    )  # each has the commands that it uses
    bodies = [page.partition(begin)[2].replace("\\end{document}\n", "\n") for page in pages]
    return head + begin + "".join(bodies) + "\\end{document}\n"


def main() -> None:
    folder, found = Path(sys.argv[1]), gradients()
    for name, gradient in found.items():
        (folder / "numpy").mkdir(parents=True, exist_ok=True)
        (folder / "numpy" / f"{name}.py").write_text(as_numpy_module(gradient.forward), encoding="utf-8")
    for language in ("en", "ja"):
        pages = [render(gradient.derivation, "tex", language) for gradient in found.values()]
        (folder / language).mkdir(exist_ok=True)
        (folder / language / "gradients.tex").write_text(document(pages), encoding="utf-8")
    if len(found) < len(REGISTRY) - 10:
        raise UnreadableInput(f"only {len(found)} gradients of {len(REGISTRY)} operations")
    print(f"{len(found)} gradients")


if __name__ == "__main__":
    main()
