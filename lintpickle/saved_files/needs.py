"""From what pickles ask for to what a file needs: each global once, with how it stands here."""

from __future__ import annotations

from _compat_pickle import IMPORT_MAPPING, NAME_MAPPING
from collections.abc import Iterator

from lintpickle.catalog.unpickling import harm
from lintpickle.saved_files.records import Danger, FileContents, Global, Need, PickledPart, Standing
from lintpickle.saved_files.standing import standing_of
from lintpickle.saved_files.surroundings import Surroundings

_RENAMED = 3
"""Below this protocol, unpickling takes names of Python 2 for those of Python 3 (`pickle.py`, `find_class`)."""


def today(asked: Global, protocol: int) -> Global:
    """The global that Python 3 looks for when a pickle asks for one."""
    if protocol >= _RENAMED:
        return asked
    pair = (asked.module, asked.name)
    if pair in NAME_MAPPING:
        return Global(*NAME_MAPPING[pair])
    return Global(IMPORT_MAPPING.get(asked.module, asked.module), asked.name)


class _Count:
    def __init__(self, written: str) -> None:
        self.written = written
        self.asked = self.called = 0


def needs_of(contents: FileContents, surroundings: Surroundings) -> tuple[Need, ...]:
    """What a file needs, what is missing first."""
    counts: dict[tuple[Global, bool], _Count] = {}
    for part in contents.parts:
        for wanted, by_getattr, written, asked, called in _asked(part):
            count = counts.setdefault((wanted, by_getattr), _Count(written))
            count.asked += asked
            count.called += called
    found = (_need(wanted, by_getattr, count, contents, surroundings) for (wanted, by_getattr), count in counts.items())
    return tuple(sorted(found, key=lambda need: (not need.standing.is_missing, need.danger is None, need.path)))


def _asked(part: PickledPart) -> Iterator[tuple[Global, bool, str, int, int]]:
    protocol = part.facts.protocol
    for asked, use in part.facts.globals.items():
        yield today(asked, protocol), False, asked.path, use.asked, use.called
    for reached, use in part.facts.reached.items():
        yield today(reached, protocol), True, reached.path, use.asked, use.called


def _need(wanted: Global, by_getattr: bool, count: _Count, contents: FileContents, surroundings: Surroundings) -> Need:
    standing, why, place = standing_of(wanted.module, wanted.name, surroundings, contents.modules)
    does = harm(wanted.path)
    elsewhere = surroundings.elsewhere(wanted.name.partition(".")[0], wanted.module) if standing.is_missing else ()
    return Need(
        written=count.written,
        path=wanted.path,
        module=wanted.module,
        name=wanted.name,
        asked=count.asked,
        called=count.called,
        standing=standing,
        why=why,
        place=place,
        elsewhere=elsewhere,
        danger=Danger(wanted.path, does) if does is not None and not _is_plain_getattr(wanted, contents) else None,
        by_getattr=by_getattr,
        parent=surroundings.parent_of(wanted.module) if standing is Standing.MODULE_GONE else "",
    )


def _is_plain_getattr(wanted: Global, contents: FileContents) -> bool:
    """Whether `getattr` is only called to get what is in a class by its name, as protocols before 4 do it for classes
    in classes and for methods: what it gets is in the list then, and is judged by itself."""
    if wanted.path != "builtins.getattr":
        return False
    asked = called = 0
    for part in contents.parts:
        for each, use in part.facts.globals.items():
            if today(each, part.facts.protocol).path == wanted.path:
                called += use.called
        asked += sum(use.asked for use in part.facts.reached.values())
    modest = all(
        not piece.startswith("__")
        for part in contents.parts
        for each in part.facts.reached
        for piece in each.name.split(".")
    )
    return asked == called and modest and not any(part.facts.unnamed for part in contents.parts)
