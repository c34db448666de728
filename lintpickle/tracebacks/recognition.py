"""Which error a text tells of, and at which boundary: by the catalog's table."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec.structs import replace

from lintpickle.catalog import Catalog, ErrorKind
from lintpickle.tracebacks.cleaning import streams
from lintpickle.tracebacks.parsing import notes_at, raised_in
from lintpickle.tracebacks.records import Crossed, RaisedError, Read, Recognised, TracebackFrame

_LIBRARY = re.compile(r"/(?:site|dist)-packages/|^<frozen |^<string>|^<__array|/pyodide|\.zip/", re.IGNORECASE)
_STANDARD = re.compile(r"/lib(?:64)?/(?:python\d[\d.]*/)?(?P<top>\w+)(?:\.py|/)", re.IGNORECASE)
_LOADS = re.compile(r"\b(?:pickle|_ForkingPickler|Unpickler|pickle_module)\S*\.loads?\(")
_MAY_TELL = re.compile(
    r"pickl|serializ|attribute|Error|process|shared|memory|files|weights|global|context|CUDA|indices|import|sampler|"
    r"not the same object|ancdata|No module named|Script|Tried to|EOF|pipe|BrokenPool|Pickler|input|__init__|spawn",
    re.IGNORECASE,
)
"""What stands in every line of a text that can be an error by itself."""
_LOST_LOCALS = re.compile(r"(?<=\w)\.\s*(?:<?locals>?\s*)?\.")
_LOST_LAMBDA = re.compile(r"\.<locals>\.\s*lambda\s*$")
_LONG_NAMES = {"weakref": "weakref.ReferenceType"}
"""What messages of Python before 3.10 call a type, and later ones: measured with 3.6 to 3.13."""
_LONGEST = 6_000


def recognise(text: str, catalog: Catalog) -> Read:
    """What a text says. Where several errors are told, the first that is a cause; of chained ones the cause comes
    first."""
    found: list[RaisedError] = []
    for lines in streams(text):
        found += raised_in(lines)
    known = [each for raised in found for each in recognised(raised, catalog)]
    known += _in_bare_text(text, known, catalog)
    causes = [each for each in known if not each.kind.symptom]
    best = min(causes, key=lambda each: _order(each, catalog), default=None) or next(iter(known), None)
    frames = _frames_of(best, found)
    return Read(best, boundary_of(frames, catalog), tuple(found))


def _order(recognised: Recognised, catalog: Catalog) -> tuple[bool, bool]:
    """Those that name what cannot cross come before those that do not; else the first counts."""
    return (recognised.type is None and recognised.name is None, not recognised.raised.frames)


def _frames_of(error: Recognised | None, found: Sequence[RaisedError]) -> tuple[TracebackFrame, ...]:
    """The frames of the error; those of the longest traceback if it stands without any."""
    if error is not None and error.raised.frames:
        return error.raised.frames
    return max((each.frames for each in found), key=len, default=())


def _in_bare_text(text: str, known: Sequence[Recognised], catalog: Catalog) -> Iterator[Recognised]:
    """Errors in lines that have no form of a traceback: the message alone, or a log's sentence around it."""
    if any(not each.kind.symptom for each in known):
        return
    for lines in streams(text):
        for at, line in enumerate(lines):
            if _MAY_TELL.search(line) is None:
                continue
            yield from recognised(RaisedError("", line.strip(), (), tuple(notes_at(lines, at + 1))), catalog)


def recognised(raised: RaisedError, catalog: Catalog, *, anywhere: bool = False) -> Iterator[Recognised]:
    """What the catalog knows of an error; nothing, or one. With `anywhere`, its text alone decides."""
    boundary = boundary_of(raised.frames, catalog).kind
    for kind in catalog.error_kinds:
        if kind.needs and not anywhere and not _has_needed(kind, boundary, raised):
            continue
        found = _match(kind, raised.text[:_LONGEST])
        if found is not None:
            yield _recognised(kind, raised, found, catalog)
            return


def _recognised(kind: ErrorKind, raised: RaisedError, found: re.Match[str], catalog: Catalog) -> Recognised:
    groups = found.groupdict()
    named = Recognised(
        kind, raised, _told(raised, found), groups.get("type"), _plain_name(groups.get("name")), groups.get("module")
    )
    cause = groups.get("cause")
    inner = next(recognised(RaisedError("", cause, ()), catalog), None) if cause else None
    return replace(named, type=inner.type, name=inner.name) if inner is not None else named


def _told(raised: RaisedError, found: re.Match[str]) -> str:
    """The error as Python prints it; of a sentence that quotes one, what it quotes."""
    if raised.type:
        return raised.text
    before = re.search(r"[\w.]*(?:Error|Exception): $", found.string[: found.start()])
    return f"{before[0] if before is not None else ''}{found[0]}"


def _has_needed(kind: ErrorKind, boundary: str | None, raised: RaisedError) -> bool:
    functions = {frame.function.rpartition(".")[2] for frame in raised.frames}
    if "getattr" in kind.needs and "__getattr__" in functions:
        return True
    if "at-load" in kind.needs:
        return bool(raised.frames) and _LOADS.search(raised.frames[-1].line or "") is not None
    if "load" in kind.needs and not functions.isdisjoint({"load", "loads", "find_class", "_legacy_load", "_load"}):
        return True
    if "pickle" in kind.needs and any(frame.line is not None and "pickle" in frame.line for frame in raised.frames):
        return True
    return boundary in kind.needs


def _match(kind: ErrorKind, text: str) -> re.Match[str] | None:
    return next((found for form in kind.patterns if (found := _compiled(form).search(text))), None)


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.DOTALL | re.IGNORECASE)


def _plain_name(name: str | None) -> str | None:
    """A qualified name as Python has it. In pages that take `<locals>` for markup, it is gone, or has lost its angles
    (`f..g`, `f. locals .g`); a lambda is then what follows the last dot."""
    if name is None:
        return None
    name = _LOST_LOCALS.sub(".<locals>.", name)
    if name.endswith(".<locals>."):
        name += "<lambda>"
    name = _LOST_LAMBDA.sub(".<locals>.<lambda>", name)
    return name if "<locals>" in name or "<lambda>" in name else name.strip("'\"<>")


def boundary_of(frames: Sequence[TracebackFrame], catalog: Catalog) -> Crossed:
    """The boundary that frames show: the last run of frames in files of pickling and multiprocessing, and the frame
    before it."""
    kinds = [catalog.frame_kind(normal_path(frame.path)) for frame in frames]
    last = next((at for at in reversed(range(len(frames))) if kinds[at] is not None), None)
    if last is None:
        own = [frame for frame in frames if is_own(frame)]
        return Crossed(None, frames[-1] if frames else None, own[-1] if own else None)
    first = last
    while first > 0 and (kinds[first - 1] is not None or _is_between(frames[first - 1], kinds[: first - 1])):
        first -= 1
    kind = _kind(kinds[first : last + 1])
    before = frames[:first]
    own = [frame for frame in before if is_own(frame)]
    return Crossed(kind, before[-1] if before else None, own[-1] if own else None)


def _is_between(frame: TracebackFrame, before: Sequence[str | None]) -> bool:
    """Whether a frame of a library stands between two of the boundary (tqdm around a loader does not)."""
    return any(before[-2:]) and is_library(frame.path)


def _kind(kinds: Sequence[str | None]) -> str | None:
    """The outermost kind; that of plain pickling only if there is no other."""
    said = [kind for kind in kinds if kind is not None]
    return next((kind for kind in said if kind not in ("pickle", "process")), said[0] if said else None)


def is_own(frame: TracebackFrame) -> bool:
    """Whether a frame is of a file, or of a notebook's cell, that is in no library."""
    return not is_library(frame.path) and not frame.path.startswith("<")


def is_library(path: str) -> bool:
    """Whether a path on another machine is one of the standard library or of an installed package."""
    plain = normal_path(path)
    if _LIBRARY.search(plain):
        return True
    found = list(_STANDARD.finditer(plain))
    return bool(found) and found[-1]["top"] in sys.stdlib_module_names


def normal_path(path: str) -> str:
    """A path of any machine, with "/" between its parts."""
    return path.replace("\\", "/")


def subjects(errors: Iterable[str], catalog: Catalog) -> Iterator[Recognised]:
    """What the catalog says of errors that rules foretell."""
    for error in errors:
        type_, _, message = error.partition(": ")
        yield from recognised(RaisedError(type_, message, ()), catalog, anywhere=True)


def is_same_type(told: str, foretold: str) -> bool:
    """Whether two names of a type can be one: with or without the module (`Environment`, `lmdb.Environment`)."""
    told, foretold = (_LONG_NAMES.get(name.strip("'"), name.strip("'")) for name in (told, foretold))
    first, second = told.split("."), foretold.split(".")
    shorter = min(len(first), len(second))
    return first[-shorter:] == second[-shorter:]
