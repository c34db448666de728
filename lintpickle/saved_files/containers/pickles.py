"""Pickles one behind the other: a plain file, what torch wrote before 1.6, and what joblib writes."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.saved_files.bounds import Exceeded
from lintpickle.saved_files.containers.opened import OpenedFile
from lintpickle.saved_files.machine import Machine
from lintpickle.saved_files.opcodes import HANDLERS
from lintpickle.saved_files.records import PickledPart, PickleFacts
from lintpickle.saved_files.stream import Stream, Unreadable

TORCH_MAGIC = 0x1950A86A20F9469CFC6C
"""`torch.serialization.MAGIC_NUMBER`: the first pickle of what torch writes without a zip archive."""
TORCH_ROLES = ("magic number", "protocol version", "system", "saved object", "keys of storages")
"""The pickles of such a file, in their order; the bytes of the storages follow."""
OBJECT = TORCH_ROLES[3]


def read_plain(opened: OpenedFile, stream: Stream, kind: str) -> None:
    """Read a stream of pickles with no other structure."""
    contents = opened.contents
    contents.kind, contents.loads_with = kind, "pickle.load"
    found: list[PickleFacts] = []
    for facts in pickles_in(opened, stream):
        is_legacy = bool(found) and found[0].result == TORCH_MAGIC
        if facts.problem is not None and found and not is_legacy and not _begins_like_one(facts):
            contents.notes.append(f"behind byte {facts.offset:,} is what no pickle begins with; it is not read")
            break
        found.append(facts)
        if is_legacy and len(found) == len(TORCH_ROLES):
            break
    is_legacy = bool(found) and found[0].result == TORCH_MAGIC
    if is_legacy:
        contents.kind, contents.loads_with, contents.torch = (
            "PyTorch file of the format before 1.6",
            "torch.load",
            "legacy",
        )
        if len(found) < len(TORCH_ROLES):
            contents.problems.append(f"it ends after {len(found)} of {len(TORCH_ROLES)} pickles")
    elif any(facts.arrays for facts in found):
        contents.kind, contents.loads_with = f"joblib file{kind.removeprefix('pickle')}", "joblib.load"
    elif len(found) > 1:
        contents.notes.append(f"it holds {len(found):,} pickles; `pickle.load` reads one at each call")
    for number, facts in enumerate(found):
        role = TORCH_ROLES[number] if is_legacy else ("pickle" if len(found) == 1 else f"pickle {number + 1}")
        contents.parts.append(PickledPart("", role, facts))


def read_pickle_member(opened: OpenedFile, stream: Stream, member: str, role: str) -> None:
    """A member of an archive that holds one pickle."""
    try:
        facts = Machine(stream, opened.budget, opened.words, HANDLERS).run()
        if facts.is_whole and not stream.at_end():
            opened.contents.notes.append(f"{member} goes on behind its pickle; that is not read")
    except Unreadable as error:
        opened.contents.problems.append(f"{member}: {error}")
    except Exceeded as error:
        opened.contents.problems.append(str(error))
    else:
        opened.contents.parts.append(PickledPart(member, role, facts))


def pickles_in(opened: OpenedFile, stream: Stream) -> Iterator[PickleFacts]:
    """The pickles of a stream, up to one that cannot be read to its end, which comes last."""
    while True:
        try:
            if stream.at_end():
                return
            facts = Machine(stream, opened.budget, opened.words, HANDLERS).run()
        except (Unreadable, Exceeded) as error:
            opened.contents.problems.append(str(error))
            return
        yield facts
        if not facts.is_whole:
            return


def _begins_like_one(facts: PickleFacts) -> bool:
    return "PROTO" in facts.opcodes or facts.count > 20
