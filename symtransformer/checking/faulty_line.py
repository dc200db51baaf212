"""Where a document goes wrong: a line, and the file that it stands in where several share what they define."""

from __future__ import annotations

from symtransformer.checking.number_words import Note
from symtransformer.notation import Words


class FaultyLine(int):
    """The number of a line that is not right, with the file that it stands in; told with it where that is another one.

    >>> line = FaultyLine(3, "one.md")
    >>> f"{line.seen_from('one.md')}, {line.seen_from('two.md')}"
    '3, one.md:3'
    """

    file: str
    is_elsewhere: bool

    def __new__(cls, line: int, file: str, is_elsewhere: bool = False) -> FaultyLine:
        made = super().__new__(cls, line)
        made.file = "".join(c if c.isprintable() else "?" for c in file)  # it is told in sentences
        made.is_elsewhere = is_elsewhere
        return made

    def seen_from(self, file: str) -> FaultyLine:
        return FaultyLine(self, self.file, self.file != FaultyLine(self, file).file)

    def __str__(self) -> str:
        return f"{self.file}:{int(self)}" if self.is_elsewhere else str(int(self))

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    @property
    def note(self) -> Note:
        place = f"{self.file}:{int(self)}"
        return Note("follows_from", Words(f"The line that is not right: {place}", f"誤りのある行：{place}"))
