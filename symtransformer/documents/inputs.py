r"""Files that a document reads by \input: below the given folder, no links, under limits."""

from __future__ import annotations

import re
from pathlib import Path

from symtransformer.documents.collecting import Collector
from symtransformer.documents.decoding import DocumentError, decoded
from symtransformer.documents.limits import DOCUMENT_BYTES, INPUT_DEPTH, INPUT_FILES
from symtransformer.documents.placed import Placed
from symtransformer.reading.problems import quoted

PART = re.compile(r"[A-Za-z0-9\u3041-\u30ff\u4e00-\u9fff][\w.+-]{0,80}")
SUFFIXES = (".tex", ".ltx", ".txt", ".tikz")


class Inputs:
    """The folder, and what has been read out of it."""

    def __init__(self, folder: Path, encoding: str = "") -> None:
        self.folder, self.encoding = folder, encoding
        self.files, self.bytes = 0, 0
        self.open: list[str] = []

    def read(self, path: str, origin: int, found: Collector) -> Placed | None:
        """The text of the file, or nothing and a problem."""
        name = path.strip().removeprefix("./")
        problem = self._refused(name)
        name = name if name.endswith(SUFFIXES) else name + ".tex"
        file = self.folder.joinpath(*name.split("/"))
        if not problem:
            problem = self._unsuitable(file, name)
        if problem:
            found.problem("input", f"{quoted(path)} is not read: {problem}", origin)
            return None
        try:
            with file.open("rb") as stream:
                content = stream.read(DOCUMENT_BYTES - self.bytes + 1)
            if self.bytes + len(content) > DOCUMENT_BYTES:
                found.problem("input", f"{quoted(path)} is not read: more than {DOCUMENT_BYTES} bytes", origin)
                return None
            text = decoded(content, name, self.encoding)
        except (OSError, DocumentError) as error:
            said = error.message if isinstance(error, DocumentError) else "it cannot be opened"
            found.problem("input", f"{quoted(path)} is not read: {said}", origin)
            return None
        self.files += 1
        self.bytes += len(content)
        self.open.append(name)
        return found.sources.add(name, text)

    def leave(self) -> None:
        self.open.pop()

    def _refused(self, path: str) -> str:
        parts = path.split("/")
        if not all(PART.fullmatch(part) and ".." not in part for part in parts):
            return "only files below the folder of the document, with plain names"
        if len(self.open) >= INPUT_DEPTH or self.files >= INPUT_FILES:
            return f"at most {INPUT_FILES} files, {INPUT_DEPTH} inside each other"
        return ""

    def _unsuitable(self, file: Path, name: str) -> str:
        if name in self.open:
            return "it reads itself"
        here = self.folder
        for part in file.relative_to(self.folder).parts:
            here = here / part
            if here.is_symlink():
                return "a link"
        return "" if file.is_file() else "there is no such file"
