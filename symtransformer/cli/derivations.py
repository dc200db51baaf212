"""The worked derivations that come with the library, and files of one's own."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from symtransformer.cli.messages import one_line, quoted
from symtransformer.errors import UnreadableInput

NAME = re.compile(r"[a-z][a-z0-9_]{0,79}")


def folder_of_derivations() -> Path:
    """Inside an installed package, or beside it in a clone."""
    here = Path(__file__).resolve().parents[1]
    installed = here / "_derivations"
    return installed if installed.is_dir() else here.parent / "derivations"


def known_derivations() -> list[str]:
    return sorted(p.stem for p in folder_of_derivations().glob("*.py") if NAME.fullmatch(p.stem))


def title_of(name: str, language: str) -> str:
    """The title of a worked derivation: read off its file where it stands there word for word, since running all takes seconds."""
    import ast

    from symtransformer.notation import Words

    tree = ast.parse((folder_of_derivations() / f"{name}.py").read_text(encoding="utf-8"))
    titles = [
        keyword.value
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        for keyword in call.keywords
        if keyword.arg == "title"
    ]
    if len(titles) == 1 and isinstance(words := titles[0], ast.Call) and not words.keywords:
        texts = [part.value for part in words.args if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        if isinstance(words.func, ast.Name) and words.func.id == "Words" and len(texts) == len(words.args) == 2:
            return Words(*texts).plain(language)
    return load(name)[1].title.plain(language)


def load(name: str) -> tuple[str, Any]:
    """The stem of the file and its derivation, by the name of a worked derivation or by the path of a file."""
    path = Path(name)
    if path.suffix != ".py":
        known = known_derivations()
        if name not in known:
            import difflib

            close = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {close[0]}?" if close else f"known are: {', '.join(known)}"
            raise UnreadableInput(f"no worked derivation is named {quoted(name)}; {hint}")
        path = folder_of_derivations() / f"{name}.py"
    elif not path.is_file():
        raise UnreadableInput(f"there is no file {quoted(name)}")
    elif not NAME.fullmatch(path.stem):
        raise UnreadableInput(f"{quoted(path.name)}: the file name must be lower-case letters, digits and _")
    return path.stem, _derivation_in(path)


def _derivation_in(path: Path) -> Any:
    import contextlib
    import importlib.util
    import traceback

    from symtransformer.derivation import Derivation

    spec = importlib.util.spec_from_file_location(f"_derivation_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        with contextlib.redirect_stdout(sys.stderr):  # what the file prints is no part of a page
            spec.loader.exec_module(module)
    except SyntaxError as error:
        where = f"{path.name}, line {error.lineno}" if error.lineno else path.name
        raise UnreadableInput(f"{where}: {error.msg}") from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == spec.origin]
        where = f"{path.name}, line {lines[-1]}" if lines else path.name
        raise UnreadableInput(f"{where}: {type(error).__name__}: {one_line(str(error))}") from error
    finally:
        sys.dont_write_bytecode = before
    derivation = getattr(module, "derivation", None)
    if not isinstance(derivation, Derivation):
        raise UnreadableInput(f"{path.name}: expected a Derivation named `derivation`; derive(...) makes one")
    return derivation
