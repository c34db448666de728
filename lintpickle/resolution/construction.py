"""Which methods run when an object of a class is made, according to their names alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, cached_property

from msgspec import Struct

from lintpickle.diagnostics import Span
from lintpickle.limits import BASES
from lintpickle.parsing.outline import Block
from lintpickle.prefilter.words import alone
from lintpickle.program.module import Module
from lintpickle.resolution.name_targets import NameTarget, NameTargets

_WORD = re.compile(r"\w+")
_NO_CODE = re.compile(r"\"\"\".*?\"\"\"|'''.*?'''|#[^\n]*", re.DOTALL)
_BETWEEN = r"(?:[\s\\)]|#[^\n]*\n)*"
"""What may be between the parts of an expression."""
_ATTRIBUTE = re.compile(rf"\.{_BETWEEN}([^\W\d]\w*)")
_FIRST_PARAMETER = re.compile(r"\bdef\s+\w+\s*(?:\[[^\]]*\]\s*)?\(\s*(\w+)")
AFTER_INIT = ("__post_init__", "__attrs_post_init__", "model_post_init")
"""What dataclasses, attrs and pydantic (measured with 2.13) call once the fields have been set."""
_BEGIN = frozenset({"__init__", "__new__", *AFTER_INIT})


class Run(Struct, frozen=True):
    """The methods of a class that run. There may be too many, but never too few."""

    module: Module
    block: Block
    methods: frozenset[str]


class Construction:
    """Follows construction through the classes of a program."""

    def __init__(self, places: NameTargets) -> None:
        self._places = places
        self._known: dict[int, tuple[Run, ...]] = {}
        self._owned: dict[int, _Owned] = {}

    def runs(self, module: Module, block: Block) -> tuple[Run, ...]:
        """What runs when an object of the class in a block is made: in the class itself, then in its base classes in
        the program."""
        if id(block) not in self._known:
            self._known[id(block)] = tuple(self._runs((module, block), list(self._bases(module, block))))
        return self._known[id(block)]

    def defining(self, module: Module, block: Block, method: str) -> list[NameTarget]:
        """The class in a block and its base classes, as far as they define the method."""
        line = ((run.module, run.block) for run in self.runs(module, block))
        return [place for place in line if any(name == method for name, _ in place[0].facts.methods(place[1]))]

    def _runs(self, place: NameTarget, base_places: list[NameTarget]) -> Iterator[Run]:
        made, bases = _Owned.of(place), [self._base(place) for place in base_places]
        classes = [made, *bases]
        known = frozenset(name for class_ in classes for name in class_.spans)
        waiting = (known & _BEGIN) | made.named_around(known)
        waiting = waiting.union(*(base.words_around & known for base in bases))
        reached: set[str] = set()
        while waiting:
            reached |= waiting
            found = (class_.asked(name) & known for class_ in classes for name in waiting if name in class_.spans)
            waiting = frozenset[str]().union(*found) - reached
        for (module, block), class_ in zip([place, *base_places], classes, strict=True):
            yield Run(module, block, frozenset(class_.spans) & reached)

    def _base(self, place: NameTarget) -> _Owned:
        if id(place[1]) not in self._owned:
            self._owned[id(place[1])] = _Owned.of(place)
        return self._owned[id(place[1])]

    def _bases(self, module: Module, block: Block) -> Iterator[NameTarget]:
        seen = {id(block)}
        waiting = [(module, header) for header in block.classes]
        while waiting and len(seen) < BASES.most:
            home, header = waiting.pop()
            for base in header.bases:
                for place in self._places.of_name(home, base):
                    if place[1].classes and id(place[1]) not in seen:
                        seen.add(id(place[1]))
                        yield place
                        waiting += [(place[0], inner) for inner in place[1].classes]
        if waiting:
            self._places.cuts.note_of(BASES, module, block.span.start)


class _Owned:
    """The methods of a class, and the attributes that they read of any object, computed on demand. `around` is the span
    of the class in the text of its file; the spans of `methods` count from its start."""

    def __init__(self, code: str, around: Span, methods: Iterable[tuple[str, Span]]) -> None:
        self._text = code
        self._around = around
        self._known: dict[str, frozenset[str]] = {}
        self.spans: dict[str, list[Span]] = {}
        for name, span in methods:
            found = Span(around.start + span.start, around.start + span.end)
            self.spans.setdefault(name, []).append(found)

    @classmethod
    def of(cls, place: NameTarget) -> _Owned:
        """The methods of the class in a block."""
        module, block = place
        return cls(module.code, block.span, module.facts.methods(block))

    def asked(self, name: str) -> frozenset[str]:
        """The names of the attributes, of any object, in a method; and `__call__` if it calls its first parameter."""
        if name not in self._known:
            self._known[name] = frozenset(word for span in self.spans[name] for word in self._asked(span))
        return self._known[name]

    def _asked(self, span: Span) -> Iterator[str]:
        yield from _ATTRIBUTE.findall(self._text, span.start, span.end)
        first = _FIRST_PARAMETER.search(self._text, span.start, span.end)
        if first is not None and _called(first.group(1)).search(self._text, first.end(), span.end):
            yield "__call__"

    def named_around(self, names: Iterable[str]) -> frozenset[str]:
        """Which of the names occur in the class outside its methods, comments and long strings. Faster than
        `words_around` for a single question."""
        text = self._text_around()
        found = [name for name in names if name in text]
        return _words(text).intersection(found) if found else frozenset()

    @cached_property
    def words_around(self) -> frozenset[str]:
        """All words in the class outside its methods, comments and long strings."""
        return _words(self._text_around())

    def _text_around(self) -> str:
        pieces, at = [], self._around.start
        for span in sorted(span for spans in self.spans.values() for span in spans):
            pieces.append(self._text[at : span.start])
            at = span.end
        return "".join([*pieces, self._text[at : self._around.end]])


def _words(text: str) -> frozenset[str]:
    """The words of a text without its comments and long strings."""
    return frozenset(_WORD.findall(_NO_CODE.sub("", text)))


@cache
def _called(name: str) -> re.Pattern[str]:
    return re.compile(rf"{alone(name)}{_BETWEEN}\(")
