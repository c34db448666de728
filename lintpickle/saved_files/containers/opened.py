"""An open file of which parts are read in their order."""

from __future__ import annotations

from io import FileIO

from lintpickle.saved_files.bounds import ReadingBudget
from lintpickle.saved_files.memo import StringMemo
from lintpickle.saved_files.records import FileContents
from lintpickle.saved_files.stream import Stream


class OpenedFile:
    """A file that is being inspected: what was found is put into `contents`."""

    def __init__(self, file: FileIO, size: int) -> None:
        self.file = file
        self.size = size
        self.budget = ReadingBudget()
        self.words = StringMemo(self.budget)
        self.contents = FileContents()

    def head(self, count: int, start: int = 0) -> bytes:
        """Up to so many bytes from an offset on."""
        self.file.seek(start)
        return self.file.read(count) or b""

    def stream(self, start: int = 0, end: int | None = None) -> Stream:
        """The bytes between two offsets; one stream of a file is read at a time."""
        self.file.seek(start)
        size = self.size if end is None else min(end, self.size)
        return Stream(lambda count: self.file.read(count) or b"", self.file.seek, size, start)
