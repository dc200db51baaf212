"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path

import click

from symtransformer.errors import UnreadableInput

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
