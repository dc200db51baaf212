"""From the bytes of a file to its text; what cannot be read for certain is refused by name."""

from __future__ import annotations

import codecs

from symtransformer.documents.limits import DOCUMENT_BYTES, NOTEBOOK_BYTES
from symtransformer.errors import UnreadableInput
from symtransformer.reading.problems import printable, quoted

ENCODINGS = {
    "": "", "utf8": "utf-8", "utf16": "utf-16", "shiftjis": "cp932", "sjis": "cp932", "cp932": "cp932",
    "windows31j": "cp932", "eucjp": "euc_jp",
}  # fmt: skip
GUESSES = {"Shift_JIS": "shift_jis", "EUC-JP": "euc_jp"}
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class DocumentError(UnreadableInput):
    """A document that cannot be read at all: `code`, and the line if there is one."""

    has_caret = False

    def __init__(self, file: str, code: str, message: str, line: int | None = None) -> None:
        self.file, self.code, self.line, self.message = file, code, line, message
        where = f"{printable(file)}, line {line}" if line else printable(file)
        super().__init__(f"{where}: {message} [{code}]")


def decoded(content: bytes, name: str, encoding: str = "") -> str:
    """The text, without a byte order mark."""
    check_size(content, name, NOTEBOOK_BYTES)
    codec = ENCODINGS.get(encoding.lower().replace("-", "").replace("_", ""))
    if codec is None:
        message = f"the encoding {quoted(encoding)} is not known; known are UTF-8, UTF-16, Shift_JIS, EUC-JP"
        raise DocumentError(name, "encoding", message)
    if not codec:
        codec = "utf-16" if content.startswith(UTF_16) else "utf-8"
    try:
        text = content.decode(codec)
    except UnicodeDecodeError as error:
        raise DocumentError(name, "encoding", _not_in(codec, content, error)) from None
    text = text.removeprefix("\ufeff")
    if (at := text.find("\0")) >= 0:
        line = text.count("\n", 0, at) + 1
        raise DocumentError(name, "binary", "a NUL character; this is no text", line)
    return text


def check_size(content: bytes, name: str, limit: int = DOCUMENT_BYTES) -> None:
    if len(content) > limit:
        raise DocumentError(name, "too_long", f"{len(content)} bytes; at most {limit}")


def _not_in(codec: str, content: bytes, error: UnicodeDecodeError) -> str:
    said = f"not {codec.upper()} at byte {error.start}"
    if codec != "utf-8":
        return said
    likely = [shown for shown, other in GUESSES.items() if _reads(content, other)]
    if not likely:
        return f"{said}; save it as UTF-8"
    return f"{said}; it could be {' or '.join(likely)}: name the encoding"


def _reads(content: bytes, codec: str) -> bool:
    try:
        content.decode(codec)
    except UnicodeDecodeError:
        return False
    return True
