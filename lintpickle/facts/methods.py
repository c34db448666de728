"""The methods of a class, each read by libcst on demand: most are never needed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from lintpickle.diagnostics import Span
from lintpickle.facts.records import BlockFacts, ClassFacts, FunctionFacts
from lintpickle.facts.values import Name
from lintpickle.parsing.members import Member

_ANY = re.compile("")


class ReadMethod(Struct, frozen=True):
    """A member that was read. `exact` says whether libcst reproduces its text unchanged."""

    facts: FunctionFacts
    exact: bool


class Methods(Mapping[str, FunctionFacts]):
    """Methods by name: the last plain definition of each. `eager` are those in blocks of the class body (`if`, `try`),
    which were read with it; `read` reads a member."""

    def __init__(
        self, eager: Mapping[str, FunctionFacts], members: tuple[Member, ...], read: Callable[[Member], ReadMethod]
    ) -> None:
        self.eager = eager
        self.members = members
        entries: list[tuple[str, FunctionFacts | Member]] = [*eager.items()]
        entries += [(member.name, member) for member in members if not member.accessory]
        self._entries = dict(sorted(entries, key=lambda entry: entry[1].span.start))
        self._setters = {member.name: member for member in members if member.accessory == "setter"}
        self._read = read
        self._known: dict[str, ReadMethod] = {}
        self._known_setters: dict[str, ReadMethod] = {}
        self._holding: dict[re.Pattern[str], tuple[str, ...]] = {}

    def __getitem__(self, name: str) -> FunctionFacts:
        entry = self._entries[name]
        if isinstance(entry, FunctionFacts):
            return entry
        if name not in self._known:
            self._known[name] = self._read(entry)
        return self._known[name].facts

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def setter(self, name: str) -> FunctionFacts | None:
        """The setter of a property, if it stands directly in the class body."""
        member = self._setters.get(name)
        if member is None:
            return None
        if name not in self._known_setters:
            self._known_setters[name] = self._read(member)
        return self._known_setters[name].facts

    def setters_holding(self, pattern: re.Pattern[str], code: str) -> Iterator[FunctionFacts]:
        """The setters of properties in whose text a pattern is found, which are read. `code` is that of the module."""
        for name, member in self._setters.items():
            setter = self.setter(name) if pattern.search(code, member.span.start, member.span.end) else None
            if setter is not None:
                yield setter

    def span(self, name: str) -> Span:
        """Where a method stands; nothing is read."""
        return self._entries[name].span

    def holding(self, pattern: re.Pattern[str], code: str) -> tuple[str, ...]:
        """The names of the methods in whose text a pattern is found, once sought and then remembered; nothing is read.
        `code` is that of the module."""
        if pattern not in self._holding:
            spans = ((name, entry.span) for name, entry in self._entries.items())
            self._holding[pattern] = tuple(name for name, span in spans if pattern.search(code, span.start, span.end))
        return self._holding[pattern]

    @property
    def spans(self) -> Iterator[Span]:
        """Where all methods stand, the setters of properties included; nothing is read."""
        yield from (entry.span for entry in self._entries.values())
        yield from (member.span for member in self._setters.values())

    def is_exact(self, offset: int) -> bool:
        """Whether spans around an offset are exact, as far as a method that has been read covers it."""
        known = [(self._entries[name].span, read) for name, read in self._known.items()]
        known += [(self._setters[name].span, read) for name, read in self._known_setters.items()]
        return all(read.exact for span, read in known if span.start <= offset < span.end)


def method_named(name: str, class_: ClassFacts) -> FunctionFacts | None:
    """The method that a class has under a name, also one that its body gives another name (`run_all = run_many`)."""
    if name in class_.methods:
        return class_.methods[name]
    other = class_.body.get(name)
    return class_.methods.get(other.name) if isinstance(other, Name) else None


def other_names(method: str, class_: ClassFacts) -> Iterator[str]:
    """The names that the body of a class gives a method besides its own."""
    return (name for name, value in class_.body.items() if isinstance(value, Name) and value.name == method)


def methods_holding(
    methods: Mapping[str, FunctionFacts], pattern: re.Pattern[str], code: str
) -> Iterator[FunctionFacts]:
    """The methods in whose text the pattern is found. Others are not read. `code` is the text of their module."""
    return (methods[name] for name in names_holding(methods, pattern, code))


def names_holding(methods: Mapping[str, FunctionFacts], pattern: re.Pattern[str], code: str) -> Sequence[str]:
    """The names of these methods, none of which is read."""
    if isinstance(methods, Methods):
        return methods.holding(pattern, code)
    return [name for name, each in methods.items() if pattern.search(code, each.span.start, each.span.end)]


def owns(function: FunctionFacts, place: int) -> bool:
    """Whether a place in the text of a function is not in one of the functions and methods that it defines."""
    inner = (each.span for each in function.functions)
    methods = (span for class_ in function.classes for span in method_spans(class_))
    return not any(span.start <= place < span.end for span in (*inner, *methods))


def method_spans(class_: ClassFacts) -> Iterator[Span]:
    """Where the methods of a class stand, and those of the classes in it; none is read."""
    methods = class_.methods
    yield from methods.spans if isinstance(methods, Methods) else (each.span for each in methods.values())
    for inner in class_.classes:
        yield from method_spans(inner)


def functions_in(block: BlockFacts, form: re.Pattern[str], code: str) -> Iterator[FunctionFacts]:
    """The functions of a parsed block in the order of `RootFrames.in_block`: the module body first, methods and nested
    functions after what holds them. Methods of its classes without the form are left out, and not read."""
    yield block.body
    for function in block.body.functions:
        yield from _with_inner(function, code)
    for class_ in block.body.classes:
        yield from _of_class(class_, form, code)


def _of_class(class_: ClassFacts, form: re.Pattern[str], code: str) -> Iterator[FunctionFacts]:
    for method in methods_holding(class_.methods, form, code):
        yield from _with_inner(method, code)
    for inner in class_.classes:
        yield from _of_class(inner, form, code)


def _with_inner(function: FunctionFacts, code: str) -> Iterator[FunctionFacts]:
    yield function
    for inner in function.functions:
        yield from _with_inner(inner, code)
    for class_ in function.classes:
        yield from _of_class(class_, _ANY, code)
