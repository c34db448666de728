"""Runs a command, and stores its output together with everything that the output depends on."""

from __future__ import annotations

import io
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO, TextIO

from lintpickle.cache.answers import AskedAnswer
from lintpickle.cache.ourselves import IS_INSTALLED, PACKAGE
from lintpickle.cache.stamps import are_settled, stamped
from lintpickle.disk import Evidence, remembered, status_of


def recorded(question: AskedAnswer, run: Callable[[], int]) -> int:
    """The exit code of `run`, which writes to the standard streams, reads the disk through `lintpickle.disk`, and has
    no other effects. The output is stored as the answer to the question, unless a file that was read changed so
    recently that its next change might not show, or something failed or was left out and may succeed next time."""
    chunks: list[tuple[int, bytes]] = []
    question.store.prepare()
    begun = time.time_ns()
    with remembered() as evidence, _copied(chunks):
        code = run()
    if evidence.momentary:
        return code
    outside = _outside(evidence, question.store.folder)
    if are_settled(outside, begun):
        ours = _ourselves()
        if are_settled(Evidence(contents=ours.contents), question.started):
            outside.add(ours)
            question.keep(code, tuple(chunks), stamped(outside))
    return code


@contextmanager
def _copied(chunks: list[tuple[int, bytes]]) -> Iterator[None]:
    """Copy what is written to the standard streams to `chunks`."""
    before = sys.stdout, sys.stderr
    copies = _copying(sys.stdout, 1, chunks), _copying(sys.stderr, 2, chunks)
    sys.stdout, sys.stderr = copies
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
        for copy in copies:
            copy.flush()


def _copying(stream: TextIO, number: int, chunks: list[tuple[int, bytes]]) -> TextIO:
    copy = _Copy(stream.buffer, number, chunks)
    return io.TextIOWrapper(
        copy, encoding=stream.encoding, errors=stream.errors, line_buffering=bool(stream.line_buffering)
    )


class _Copy(io.BufferedIOBase, BinaryIO):
    """Passes what is written on to a stream, and copies it. If nobody reads the stream any more, that is raised once:
    Python 3.14 would raise it again when the text stream above is finalized."""

    def __init__(self, stream: BinaryIO, number: int, chunks: list[tuple[int, bytes]]) -> None:
        self._stream = stream
        self._number = number
        self._chunks = chunks
        self._is_broken = False

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        written = bytes(data)
        with self._told_once():
            self._stream.write(written)
        self._chunks.append((self._number, written))
        return len(written)

    def flush(self) -> None:
        with self._told_once():
            self._stream.flush()

    @contextmanager
    def _told_once(self) -> Iterator[None]:
        try:
            yield
        except BrokenPipeError:
            if not self._is_broken:
                self._is_broken = True
                raise

    def fileno(self) -> int:
        return self._stream.fileno()

    def isatty(self) -> bool:
        return self._stream.isatty()


def _outside(evidence: Evidence, folder: str) -> Evidence:
    """The evidence without what is in a folder (that of the cache, which changes when it is used)."""
    inside = os.path.join(folder, "")

    def kept(path: str) -> bool:
        return path != folder and not path.startswith(inside)

    return Evidence(
        {path: status for path, status in evidence.contents.items() if kept(path)},
        {path: status for path, status in evidence.listings.items() if kept(path)},
        {path: kind for path, kind in evidence.kinds.items() if kept(path)},
        {path: real for path, real in evidence.real_paths.items() if kept(path)},
    )


def _ourselves() -> Evidence:
    """All files of lintpickle, and the first file of each library that is loaded (installing a library replaces it)."""
    evidence = Evidence()
    rules = os.path.join(os.path.dirname(PACKAGE), "rules")
    for top in (PACKAGE,) if IS_INSTALLED else (PACKAGE, rules):
        for folder, folders, names in os.walk(top):
            folders[:] = [name for name in folders if name != "__pycache__"]
            evidence.listings[folder] = status_of(os.stat(folder))
            for name in names:
                path = os.path.join(folder, name)
                evidence.contents[path] = status_of(os.stat(path))
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and "." not in name and name not in sys.stdlib_module_names and name != "__main__":
            evidence.contents.setdefault(os.path.abspath(file), status_of(os.stat(file)))
    return evidence
