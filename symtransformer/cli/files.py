"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from itertools import zip_longest
from pathlib import Path

import click

from symtransformer.cli.messages import cut
from symtransformer.errors import OutOfDate, UnreadableInput

STALE_AFTER = 3600  # seconds


def write_all(written: Mapping[Path, bytes]) -> None:
    """All files, each named once it is there; none where one of them could not be written."""
    for path in written:
        if path.is_dir():
            raise UnreadableInput(f"writing {path}: it is a directory")
        if path.is_symlink():
            raise UnreadableInput(f"writing {path}: it is a symbolic link; remove it first")
        for folder in path.parents:
            if folder.exists() and not folder.is_dir():
                raise UnreadableInput(f"writing {path}: {folder} is not a directory")
    for path, content in written.items():
        write_whole(path, content)
        click.echo(path)


def require_current(wanted: Mapping[Path, bytes]) -> None:
    """Nothing is written: raises `OutOfDate` with the first line of the first file that is not what it should be."""
    wrong = [message for path, content in wanted.items() if (message := _difference(path, content))]
    if wrong:
        more = f" (and {len(wrong) - 1} more of {len(wanted)} files)" if len(wrong) > 1 else ""
        raise OutOfDate(f"{wrong[0]}{more}")


def _difference(path: Path, wanted: bytes) -> str:
    try:
        found = path.read_bytes()
    except FileNotFoundError:
        return f"{path} is missing"
    except OSError as error:
        raise UnreadableInput(f"reading {path}: {error.strerror or error}") from error
    if found == wanted:
        return ""
    if b"\0" in wanted:
        return f"{path} differs from what would be written"
    lines = zip_longest(found.splitlines(keepends=True), wanted.splitlines(keepends=True))
    number, (here, there) = next((k, pair) for k, pair in enumerate(lines, 1) if pair[0] != pair[1])
    if here is None or there is None:
        return f"{path}, line {number}: " + (
            "the file ends too early" if here is None else "the file ought to end here"
        )
    here, there = (line.decode("utf-8", "replace") for line in (here, there))
    if here.rstrip() == there.rstrip():
        return f"{path}, line {number}: the end of the line is another one"
    alike = next((k for k, pair in enumerate(zip(here, there, strict=False)) if pair[0] != pair[1]), len(here))
    start = max(0, min(alike, len(there)) - 16)  # what differs is to be seen
    here, there = (("…" if start else "") + line.rstrip()[start:] for line in (here, there))
    return f"{path}, line {number}: '{cut(here)}' stands where '{cut(there)}' would be written"


def write_whole(path: Path, content: bytes) -> None:
    """The file with this content, or no change at all, also when the process is killed."""
    import tempfile

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_symlink():
            raise UnreadableInput(f"writing {path}: it is a symbolic link; remove it first")
        for old in path.parent.glob(".symtransformer-*.tmp"):
            if time.time() - old.stat().st_mtime > STALE_AFTER:
                old.unlink(missing_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=".symtransformer-", suffix=".tmp", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(temporary, 0o666 & ~_umask())
            os.replace(temporary, path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise UnreadableInput(f"writing {path}: {error.strerror or error}") from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
