"""The tar archives that torch wrote before 0.1.10: `storages`, `tensors` and `pickle`.

`torch.serialization._legacy_load` reads them: in `storages`, a number of storages, each a pickle followed by a length
(8 bytes) and that many elements; then a list of views. In `tensors`, a number of tensors, each a pickle followed by its
shape."""

from __future__ import annotations

from lintpickle.saved_files.bounds import Exceeded
from lintpickle.saved_files.containers.opened import OpenedFile
from lintpickle.saved_files.containers.pickles import OBJECT, read_pickle_member
from lintpickle.saved_files.machine import Machine
from lintpickle.saved_files.opcodes import HANDLERS
from lintpickle.saved_files.records import PickledPart, PickleFacts
from lintpickle.saved_files.stream import Stream, Truncated, Unreadable

_BLOCK = 512
_MOST = 1_000
"""Members that are looked at; torch writes four."""
_SIZES = {
    "Double": 8,
    "Long": 8,
    "Float": 4,
    "Int": 4,
    "Half": 2,
    "Short": 2,
    "Char": 1,
    "Byte": 1,
    "Bool": 1,
}
"""Bytes of an element, by the beginning of the name of the storage's class."""


def is_tar(head: bytes) -> bool:
    """Whether the first 512 bytes are the head of a tar archive's member."""
    return head[257:262] == b"ustar"


def read_tar(opened: OpenedFile) -> None:
    """Read the pickles of a tar archive that torch wrote."""
    contents = opened.contents
    contents.kind = "tar archive"
    try:
        members = _members(opened)
    except Unreadable as error:
        contents.problems.append(str(error))
        return
    if "pickle" not in members or "storages" not in members:
        contents.notes.append("it is none that torch wrote, and nothing in it is read")
        return
    contents.kind, contents.loads_with, contents.torch = (
        "PyTorch file of the tar format (before 0.1.10)",
        "torch.load",
        "tar",
    )
    for name in ("storages", "tensors"):
        if name in members:
            _read_interleaved(opened, name, *members[name])
    read_pickle_member(opened, opened.stream(*members["pickle"]), "pickle", OBJECT)


def _members(opened: OpenedFile) -> dict[str, tuple[int, int]]:
    """The members by name: the offsets of the start and end of their bytes."""
    found: dict[str, tuple[int, int]] = {}
    at = 0
    for _ in range(_MOST):
        head = opened.head(_BLOCK, at)
        if len(head) < _BLOCK or not head.strip(b"\0"):
            return found
        size = _number(head[124:136])
        start = at + _BLOCK
        name = head[:100].rstrip(b"\0").decode("utf-8", "replace")
        found.setdefault(name, (start, start + size))
        at = start + -(-size // _BLOCK) * _BLOCK
    raise Unreadable(f"it has more than {_MOST:,} members")


def _number(field: bytes) -> int:
    text = field.strip(b" \0")
    if not text or not set(text) <= set(b"01234567"):
        raise Unreadable("the size of a member is no number")
    return int(text, 8)


def _read_interleaved(opened: OpenedFile, member: str, start: int, end: int) -> None:
    stream = opened.stream(start, end)
    try:
        count = _pickle(opened, stream, member, "count").result
        for _ in range(count or 0):
            facts = _pickle(opened, stream, member, "entry")
            _pass_over(stream, facts, member)
        if member == "storages":
            _pickle(opened, stream, member, "views")
    except Truncated:
        opened.contents.problems.append(f"{member} is cut off")
    except (Unreadable, Exceeded) as error:
        opened.contents.problems.append(f"{member}: {error}")


def _pickle(opened: OpenedFile, stream: Stream, member: str, role: str) -> PickleFacts:
    facts = Machine(stream, opened.budget, opened.words, HANDLERS).run()
    opened.contents.parts.append(PickledPart(member, role, facts))
    if not facts.is_whole:
        raise Unreadable("it cannot be read further")
    return facts


def _pass_over(stream: Stream, facts: PickleFacts, member: str) -> None:
    """Pass over the bytes behind an entry."""
    if member == "tensors":
        dimensions = int.from_bytes(stream.take(4), "little")
        stream.skip(4 + 16 * dimensions + 8)
        return
    names = [each.name for each in facts.globals if each.name.endswith("Storage")]
    size = next((size for kind, size in _SIZES.items() if names and names[0].startswith(kind)), None)
    if size is None:
        raise Unreadable("the kind of a storage is not known")
    stream.skip(size * int.from_bytes(stream.take(8), "little"))
