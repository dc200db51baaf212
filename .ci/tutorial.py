"""The tutorial notebooks: made of tutorial/cells.toml, run, and written with their outputs.

python .ci/tutorial.py            writes tutorial/tutorial.en.ipynb and tutorial/tutorial.ja.ipynb
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
import tomllib
from itertools import zip_longest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tutorial"
LANGUAGES = ("en", "ja")
VERSION = re.compile(r"symtransformer \d+\.\d+\.\d+\w*")
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def cells(language: str) -> list[tuple[str, str]]:
    """Kind and text of each cell."""
    found = tomllib.loads((FOLDER / "cells.toml").read_text(encoding="utf-8"))["cells"]
    return [_cell(cell, language) for cell in found]


def _cell(cell: dict[str, Any], language: str) -> tuple[str, str]:
    if "code" not in cell:
        return "markdown", cell[language].strip("\n")
    code = cell["code"] if isinstance(cell["code"], str) else cell["code"][language]
    return "code", code.strip("\n")


def executed(language: str) -> str:
    """The notebook with its outputs, as text; nothing in it depends on the machine or the day."""
    import nbformat
    from nbclient import NotebookClient

    new = nbformat.v4
    made = [
        (new.new_markdown_cell if kind == "markdown" else new.new_code_cell)(text, id=f"cell-{k}")
        for k, (kind, text) in enumerate(cells(language), start=1)
    ]
    notebook = new.new_notebook(cells=made, metadata={"kernelspec": KERNEL})
    before = {name: os.environ.get(name) for name in ("PYTHONPATH", "SYMTRANSFORMER_LANG")}
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), before["PYTHONPATH"]]))
    os.environ.pop("SYMTRANSFORMER_LANG", None)
    try:
        with tempfile.TemporaryDirectory() as folder:
            NotebookClient(notebook, timeout=120, resources={"metadata": {"path": folder}}).execute()
    finally:
        for name, value in before.items():
            os.environ.pop(name, None) if value is None else os.environ.update({name: value})
    return json.dumps(_plain(notebook), ensure_ascii=False, indent=1) + "\n"


def _plain(notebook: Any) -> dict[str, Any]:
    """Without times and versions, and with lines as lines."""
    shown = []
    for cell in notebook.cells:
        kept = {"cell_type": cell.cell_type, "id": cell.id, "metadata": {}, "source": cell.source.splitlines(True)}
        if cell.cell_type == "code":
            kept |= {"execution_count": cell.execution_count, "outputs": [_output(x) for x in cell.outputs]}
        shown.append(kept)
    language = {"name": "python"}
    return {
        "cells": shown,
        "metadata": {"kernelspec": KERNEL, "language_info": language},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _output(output: Any) -> dict[str, Any]:
    if output.output_type == "stream":
        return {"name": output.name, "output_type": "stream", "text": output.text.splitlines(True)}
    if output.output_type == "error":
        raise RuntimeError(f"{output.ename}: {output.evalue}")
    data = {kind: text.splitlines(True) for kind, text in sorted(output.data.items())}
    count = {"execution_count": output.execution_count} if output.output_type == "execute_result" else {}
    return {"data": data, **count, "metadata": {}, "output_type": output.output_type}


def first_difference(old: str, new: str) -> str:
    """The first line that differs, whatever version of the library either was made by; nothing if none does."""
    pairs = zip_longest(*(VERSION.sub("symtransformer", text).splitlines() for text in (old, new)), fillvalue="")
    found = next(((k, *pair) for k, pair in enumerate(pairs, start=1) if pair[0] != pair[1]), None)
    return "" if found is None else "line {}:\n- {}\n+ {}".format(*found)


def main() -> None:
    wrong = 0
    for language in LANGUAGES:
        path = FOLDER / f"tutorial.{language}.ipynb"
        made = executed(language)
        if "--check" not in sys.argv:
            path.write_text(made, encoding="utf-8", newline="\n")
            print(path.relative_to(ROOT))
        elif found := first_difference(path.read_text(encoding="utf-8"), made):
            wrong = 1
            print(f"{path.relative_to(ROOT)}, {found}")
    sys.exit(wrong)


if __name__ == "__main__":
    main()
