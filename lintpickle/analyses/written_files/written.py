"""The parts of an object that is written to a file."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.analyses.calls_and_values.given_values import given_by_attribute, given_one_of
from lintpickle.analyses.calls_and_values.items_taken_out import item_taken_out
from lintpickle.analyses.calls_and_values.picked_keys import is_picked
from lintpickle.analyses.calls_and_values.returned_values import returned_expression
from lintpickle.analyses.pickle_hooks.lived_objects import after_all_methods
from lintpickle.analyses.written_files.keys_put import keys_named, with_keys_put_later
from lintpickle.analyses.written_files.numpy_values import NumpyValues, is_after_puts
from lintpickle.analyses.written_files.written_when import WrittenWhen
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.values import (
    Attribute,
    Call,
    Choice,
    Collection,
    Comprehension,
    Expr,
    Item,
    Mapping,
    Name,
    Narrowed,
    Parameter,
    PutInto,
    Sum,
    Without,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import (
    Bound,
    ConstantValue,
    ContainerValue,
    Frame,
    PlainValue,
    Site,
    is_indefinite,
)
from lintpickle.interpreter.iterators import ITERATORS
from lintpickle.interpreter.slots import OBJECT_DICT
from lintpickle.limits import SAVED_DEPTH, SAVED_PARTS
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words

TORCH_SAVE = frozenset({"torch.save", "torch.serialization.save"})


REFUSES_BY_DEFAULT = (2, 6)
"""The version of torch since which `torch.load` reads only weights by default."""


_PLAIN = frozenset(
    {OBJECT_DICT, "list", "dict", "tuple", "set", "sorted", "OrderedDict", "collections.OrderedDict", *ITERATORS}
)
"""The kinds of containers that are taken apart, and of the iterators of which such are made."""
_PACKED = frozenset({"*", "**"})
"""The kinds of those that a call fills, as a parameter `**extra` says."""
_TAKEN_APART = 4
"""How often a value is taken apart at most. Where it stands says whether it is one of several: once is too few."""
_GONE_WORDS = Words({"_six"})
_IMPORTS_GONE = re.compile(r"^(?:from\s+torch\._six\s+import|import\s+torch\._six)\b", re.MULTILINE)
"""An import that fails since torch 2.0 and is not in a `try`."""


def never_refuses(asker: str, linker: Linker) -> bool:
    """Whether the program cannot run with a torch that reads only weights by default: its requirements exclude those
    versions, or its library imports names that they lack."""
    if linker.declared.is_before("torch", REFUSES_BY_DEFAULT):
        return True
    return any(map(linker.purposes.is_library, linker.first_party.which(_GONE_WORDS, asker, _IMPORTS_GONE)))


class WrittenPart(Struct, frozen=True):
    """Something that is pickled into a file by itself or in plain containers.

    `value` is its expression in `frame`; `site` is where it is put into the saved object (the key of a dict display),
    or the call that saves it; `label` is the way to it ("['args']"), empty for the object itself. `is_chosen` says that
    it is put in under a key that is drawn from something: code may put in only what stands under some keys. `is_one_of`
    says that an attribute may be something else instead, or that nobody may have put it in by then. `display` is the
    innermost display of a dict in which it stands. Of a dict, `gone` are the keys under which it holds something else
    when it is written, or nothing.
    """

    value: Expr
    frame: Frame
    site: Site
    label: str = ""
    is_chosen: bool = False
    is_one_of: bool = False
    display: Site | None = None
    gone: frozenset[str] = frozenset()


def parts(call: BoundaryCall, linker: Linker) -> Iterator[WrittenPart]:
    """The object that a call writes, and the contents of its dicts, lists, tuples and sets."""
    role = call.spec.payload[0] if call.spec.payload else ""
    bound = call.arguments.get(role)
    if bound is None:
        return
    for count, part in enumerate(
        _Taker(call, linker).of_bound(bound, WrittenPart(call.call, call.frame, call.site), 0)
    ):
        if count >= SAVED_PARTS.most:
            linker.evaluator.cuts.note(SAVED_PARTS)
            return
        yield part


class _Taker:
    """Takes containers apart."""

    def __init__(self, call: BoundaryCall, linker: Linker) -> None:
        self._linker = linker
        self._when = WrittenWhen(call, linker.evaluator)
        self._numpy = NumpyValues(linker)
        self._lived: dict[int, tuple[Frame, Frame]] = {}
        self._entered: dict[tuple[int, int], tuple[Expr, Frame, int]] = {}

    def of_bound(self, bound: Bound, whole: WrittenPart, depth: int) -> Iterator[WrittenPart]:
        """The parts of what a parameter is bound to."""
        if bound.expr is not None and bound.frame is not None:
            given = WrittenPart(bound.expr, bound.frame, whole.site, whole.label, gone=whole.gone)
            yield from self._apart(given, depth)

    def _apart(self, part: WrittenPart, depth: int) -> Iterator[WrittenPart]:
        value, frame = without_narrowing(part.value), part.frame
        if depth > SAVED_DEPTH.most:
            self._linker.evaluator.cuts.note(SAVED_DEPTH)
            return
        if value is not part.value and self._is_excluded(part):
            return
        if not self._may_enter(value, frame):
            self._linker.evaluator.cuts.note(SAVED_PARTS)
            return
        match value:
            case Parameter(name=name, owner=owner):
                home = frame.enclosing(owner)
                bound = home.bindings.get(name) if home is not None else None
                if bound is not None and bound.expr is not None:
                    yield from self.of_bound(bound, part, depth)
                elif bound is not None and isinstance(bound.value, ContainerValue) and bound.value.kind in _PACKED:
                    yield from self._in_slots(bound.value, part, depth)
                else:
                    yield part
            case Name(name=name) if bindings := self._bindings(name, value, frame):
                for value, frame in bindings:
                    yield from self._same(value, frame, part, depth + 1)
            case Sum() if self._numpy.made_at(value, frame) is not None:
                yield part
            case Choice(options=options):
                for each in options:
                    if not self._when.excludes(each, frame):
                        yield from self._same(each, frame, part, depth)
            case Sum(parts=parts):
                for each, gone in with_keys_put_later(parts, frame, self._linker.evaluator, part.gone):
                    if is_after_puts(value) or self._numpy.of(each, frame) is None:  # Of a number, another one is made.
                        yield from self._same(each, frame, replace(part, gone=gone), depth)
            case Without(held=held, keys=keys):
                named = (keys_named(key, frame, self._linker.evaluator) for key in keys)
                yield from self._same(held, frame, replace(part, gone=part.gone.union(*named)), depth)
            case PutInto():
                yield from self._contents(part, depth)
            case Mapping():
                yield from self._in_display(value, part, depth)
            case Call(function=Name(name="dict"), arguments=arguments):
                told = frozenset(each.keyword for each in arguments if each.keyword)
                for argument in arguments:
                    if argument.keyword:
                        given = WrittenPart(argument.value, frame, part.site, f"{part.label}['{argument.keyword}']")
                        yield from self._apart(given, depth + 1) if argument.keyword not in part.gone else ()
                    else:
                        given = WrittenPart(argument.value, frame, part.site, part.label, gone=part.gone | told)
                        yield from self._held(given, depth)
            case Item(base=Collection(elements=elements), key=None):
                for element in elements:
                    yield from self._same(element, frame, part, depth + 1)
            case Collection(elements=elements):
                for index, element in enumerate(elements):
                    yield from self._apart(WrittenPart(element, frame, part.site, f"{part.label}[{index}]"), depth + 1)
            case Attribute(base=base, name=name):
                yield part
                yield from self._contents(part, depth)
                for stored, home in given_by_attribute(base, name, frame, self._linker):
                    inner = self._same(stored, home, part, depth + 1)
                    is_told = isinstance(without_narrowing(stored), Parameter) and home.function.name != "__init__"
                    yield from (replace(each, is_one_of=True) for each in inner) if is_told else inner
            case Comprehension(kind="list" | "set" | "dict", element=element):
                yield from self._apart(WrittenPart(element, frame, part.site, f"{part.label}[…]"), depth + 1)
            case Call(function=Name(name="min" | "max")) if options := given_one_of(value, frame, self._linker):
                for each in options:
                    inner = self._apart(WrittenPart(each, frame, part.site, part.label), depth + 1)
                    yield from (replace(taken, is_one_of=True) for taken in inner)
            case Call() if (returned := self._when.returned(value, frame)) is not None:
                for value, frame in returned:
                    yield from self._same(value, frame, part, depth + 1)
            case Call() | Item():
                yield part
                later, evaluator = self._after_all_methods(frame), self._linker.evaluator
                found = returned_expression(value, later, evaluator) if self._may_be_data(value, frame) else None
                if found is not None:
                    yield from self._same(*found, part, depth + 1)
                else:
                    yield from self._contents(part, depth)
                for stored, home in item_taken_out(value, frame, self._linker) if found is None else ():
                    tested = _tested_like(part.value, stored) if home is frame else stored
                    yield from self._same(tested, home, part, depth + 1)
            case _:
                yield part

    def _may_enter(self, value: Expr, frame: Frame) -> bool:
        """Whether a value has been taken apart a few times at most: a variable that is read in many places leads to
        what it was before from each of them, and so do those."""
        key = (id(value), id(frame))
        _, _, before = self._entered.get(key, (value, frame, 0))
        self._entered[key] = (value, frame, before + 1)
        return before < _TAKEN_APART

    def _same(self, value: Expr, frame: Frame, part: WrittenPart, depth: int) -> Iterator[WrittenPart]:
        """The parts of what an expression of a part gives, as another expression has it."""
        return self._apart(WrittenPart(value, frame, part.site, part.label, gone=part.gone), depth)

    def _in_display(self, value: Mapping, part: WrittenPart, depth: int) -> Iterator[WrittenPart]:
        """The parts of a display of a dict."""
        frame, evaluator = part.frame, self._linker.evaluator
        singly = [item if key is None else Mapping(item.span, ((key, item),)) for key, item in value.items]
        goes = with_keys_put_later(singly, frame, evaluator, part.gone)
        for (key, item), (_, gone) in zip(value.items, goes, strict=True):
            if key is None:
                given = WrittenPart(item, frame, part.site, part.label + _label(key, frame), gone=gone)
                yield from self._held(given, depth)
                continue
            named = keys_named(key, frame, evaluator) if gone else frozenset()
            if (named and named <= gone) or is_picked(key, item, frame, evaluator):
                continue
            given = WrittenPart(item, frame, Site(frame.module, _key_span(key, value)), part.label + _label(key, frame))
            is_chosen = isinstance(without_narrowing(key), Item)
            for taken in self._apart(given, depth + 1):
                where = taken.display or Site(frame.module, value.span)
                yield replace(taken, is_chosen=is_chosen or taken.is_chosen, display=where)

    def _contents(self, part: WrittenPart, depth: int) -> Iterator[WrittenPart]:
        """What code has put into a container, or what stands in the dict of an object, as `vars(args)` gives it."""
        for traced in self._linker.evaluator.evaluate(part.value, self._after_all_methods(part.frame)):
            if isinstance(traced.value, ContainerValue) and traced.value.kind in _PLAIN:
                yield from self._in_slots(traced.value, part, depth)

    def _in_slots(self, container: ContainerValue, part: WrittenPart, depth: int) -> Iterator[WrittenPart]:
        """The parts of what a container holds that is not written out."""
        is_iterator = container.kind in ITERATORS
        for slot in self._linker.evaluator.elements(container) if is_iterator else container.slots:
            if slot.key.item in part.gone:
                continue
            inner = self._apart(WrittenPart(slot.value, slot.frame, part.site, part.label + slot.key.label), depth + 1)
            is_one_of = isinstance(slot.value, Choice) or container.kind not in (OBJECT_DICT, *_PACKED)
            yield from (replace(each, is_one_of=True) for each in inner) if is_one_of else inner

    def _after_all_methods(self, frame: Frame) -> Frame:
        """See `after_all_methods`."""
        if id(frame) not in self._lived:
            self._lived[id(frame)] = (frame, after_all_methods(frame, self._linker))
        return self._lived[id(frame)][1]

    def _may_be_data(self, value: Expr, frame: Frame) -> bool:
        """Whether nothing but data or containers is known of a value."""
        return all(
            is_indefinite(traced.value) or isinstance(traced.value, (ConstantValue, ContainerValue, PlainValue))
            for traced in self._linker.evaluator.evaluate(value, frame)
        )

    def _held(self, part: WrittenPart, depth: int) -> Iterator[WrittenPart]:
        """What a container holds that is not kept itself, and so no level of its own."""
        return (each for each in self._apart(part, depth) if each.label != part.label)

    def _is_excluded(self, part: WrittenPart) -> bool:
        """Whether a test before ("is it a dict?") leaves nothing of all that is known of a value."""
        evaluator, frame = self._linker.evaluator, part.frame
        if any(not is_indefinite(traced.value) for traced in evaluator.evaluate(part.value, frame)):
            return False
        return any(
            not is_indefinite(traced.value) for traced in evaluator.evaluate(without_narrowing(part.value), frame)
        )

    def _bindings(self, name: str, value: Expr, frame: Frame) -> list[tuple[Expr, Frame]]:
        """What a global variable of the module is bound to by its own code, where it is read."""
        evaluator = self._linker.evaluator
        found: list[tuple[Expr, Frame]] = []
        for definition in evaluator.named(name, frame, Site(frame.module, value.span)):
            if definition.value is not None and definition.module is not None and definition.block is not None:
                found.append((definition.value, evaluator.module_frame(definition.module, definition.block.body)))
        return found


def _tested_like(tested: Expr, value: Expr) -> Expr:
    """A value after the tests that were applied to another one."""
    if not isinstance(tested, Narrowed):
        return value
    return replace(tested, value=_tested_like(tested.value, value))


def _key_span(key: Expr, mapping: Mapping) -> Span:
    """Where a key stands in a dict display; the whole of what is put in, if the key comes from elsewhere (from the
    header of a loop, say)."""
    span = mapping.span
    return key.span if span.contains(key.span) else span


def _label(key: Expr | None, frame: Frame) -> str:
    if key is None:
        return "[…]"
    text = frame.module.document.text[key.span.start : key.span.end]
    return f"[{text}]".replace('"', "'") if len(text) <= 40 and "\n" not in text else "[…]"
