"""Values that probably cross although no visible boundary ships them: datasets of local classes that a function
returns, and functions that a method stores after construction."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from lintpickle.diagnostics import Confidence
from lintpickle.facts.records import ClassFacts, Delete, Event, FunctionFacts, ItemStore, Store
from lintpickle.facts.values import Expr, Parameter, reads_the_same
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    Bound,
    ClassValue,
    ContainerValue,
    Frame,
    FunctionValue,
    Hop,
    InstanceValue,
    Site,
    TracedValue,
)
from lintpickle.interpreter.fields import is_class_attribute
from lintpickle.interpreter.held import OWN_ITEMS, Held
from lintpickle.interpreter.made_classes import name_of
from lintpickle.interpreter.object_parts import key_put
from lintpickle.interpreter.own_events import is_the_object
from lintpickle.interpreter.own_items import kind_of_items, puts_plainly
from lintpickle.interpreter.pickling_hooks import Shipped
from lintpickle.interpreter.reducers import is_kept_back
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.interpreter.stores import attribute_filled
from lintpickle.parsing.outline import Block
from lintpickle.payload.by_kind import SHIPPED_KINDS
from lintpickle.payload.crossings import Crossing, Root
from lintpickle.payload.protocols import LinkedProgram
from lintpickle.prefilter.forms import LOCAL_CLASS
from lintpickle.prefilter.screen import INNER_CLASS
from lintpickle.program.module import Module

_DATASETS = frozenset({"dataset", "iterable-dataset"})
_GIVEN_AWAY = SHIPPED_KINDS - {"process"}
_INNER_CLASS = re.compile(r"\n[ \t]+class\s+\w+\s*\(([^:]*)")
_DOTTED = re.compile(r"[^\W\d]\w*(?:\.\w+)*")


def returned_datasets(linker: LinkedProgram) -> Iterator[Crossing]:
    """Datasets of a class that a function defines and returns, or the class itself, unless a boundary in sight is
    known to ship it, or to load it without workers; and whatever else is made to be shipped, where users of a library
    get it from the function."""
    for module in linker.modules:
        for block in module.outline.blocks:
            wanted = (
                not block.bare
                and _may_define_dataset(module, block, linker)
                and any(mark.form == LOCAL_CLASS for mark in module.facts.marks(block))
            )
            block_facts = module.facts_of(block) if wanted else None
            for root in (
                linker.activations.in_block(module, block_facts, INNER_CLASS) if block_facts is not None else ()
            ):
                local = {id(facts) for facts in root.function.classes}
                around = local | {id(facts) for facts in _classes_around(root.frame)}
                for value in root.function.returns if around else ():
                    yield from _returned(value, root, around, linker, is_inner=not local)


def _classes_around(frame: Frame) -> Iterator[ClassFacts]:
    """The classes that the functions around one define."""
    while (outer := frame.parent) is not None:
        yield from outer.function.classes
        frame = outer


def _may_define_dataset(module: Module, block: Block, linker: LinkedProgram) -> bool:
    """Whether a class stands in the block that derives from a dataset, or from what only the block itself knows."""
    if module.code.find("class", block.span.start + 1, block.span.end) < 0:
        return False
    for match in _INNER_CLASS.finditer(module.code, block.span.start, block.span.end):
        for base in _DOTTED.findall(match.group(1)):
            head = base.partition(".")[0]
            is_known = head in module.outline.imports or module.outline.binding(head)
            if not is_known or linker.headers.kind_of_name(module, base) in SHIPPED_KINDS:
                return True
    return False


def _returned(
    value: Expr, root_frame: RootFrame, local: set[int], linker: LinkedProgram, is_inner: bool
) -> Iterator[Crossing]:
    """What a function returns of the local classes. Where an inner function returns it (`register("rows", lambda:
    Rows())`), it is merely possible: the function around may use it all by itself."""
    for traced in linker.evaluator.evaluate(value, root_frame.frame):
        class_ = traced.value.class_ if isinstance(traced.value, InstanceValue) else traced.value
        if not isinstance(class_, ClassValue) or id(class_.facts) not in local:
            continue
        kind = linker.classes.kind(class_)
        is_dataset = kind in _DATASETS
        if not is_dataset and not (kind in _GIVEN_AWAY and linker.users.get(root_frame)):
            continue
        if not linker.is_shared("shipped", class_, root_frame.frame.module):
            site = Site(class_.module, class_.facts.header)
            root = Root(
                Confidence.POSSIBLE if is_inner or linker.is_idle(class_) else Confidence.LIKELY,
                linker.start_methods_of_workers(site.module),
                None,
                "dataset" if is_dataset else "object",
                site,
                whole=False,
                is_given=not is_dataset,
            )
            use = "is a Dataset: a DataLoader pickles it for each worker" if is_dataset else "is for who calls this"
            hop = Hop(f"{class_.facts.name} {use}", site)
            name = f"{_outermost(root_frame.frame).function.name}()"
            yield Crossing(traced.value, site, (hop, *traced.hops), name, root, None)


def _outermost(frame: Frame) -> Frame:
    while frame.parent is not None:
        frame = frame.parent
    return frame


def stored_later(class_: ClassValue, root: Root, linker: LinkedProgram) -> Iterator[Crossing]:
    """Functions that methods store on the instance after construction. Other values stored late are mostly opened
    where they are used, which is the cure and no hazard. Of a class that users of a library ship, they are likely where
    users call the method. What the hooks of the class leave out does not cross, and nothing does of what pickle finds
    again by its name (a logger)."""
    instance = linker.activations.instance(class_)
    if is_kept_back(instance, root.kind, linker.evaluator):
        return
    shipped = Shipped(instance, linker.evaluator)
    for crossing in _stored_later(instance, root, class_, linker):
        if crossing.held is not None and crossing.held.name in shipped:
            yield crossing


def _stored_later(instance: InstanceValue, root: Root, class_: ClassValue, linker: LinkedProgram) -> Iterator[Crossing]:
    built = {held.site.span for held in linker.classes.states.state(instance)}
    for method in class_.facts.methods.values():
        if not method.parameters or method.decorated_by("staticmethod", "classmethod"):
            continue
        me = method.parameters[0].name
        frame = Frame(class_.module, method, {me: Bound(value=instance)}, class_.frame, 1, open=True)
        yield from _cached(method, frame, root, class_, linker)
        for event in method.events:
            held = _held_by(event, frame, me, instance, class_, linker) if event.span not in built else None
            if held is None:
                continue
            hop = Hop(f"{class_.facts.name}.{method.name} stores it", held.site)
            is_offered = root.is_given and not method.name.startswith("_") and not event.guards
            source = replace(root, confidence=Confidence.LIKELY) if is_offered else root
            for traced in linker.evaluator.evaluate(held.value, frame):
                if _is_kept_for_good(traced.value, held):
                    yield _crossing(traced.after(hop), source, held, class_, linker)


def _held_by(
    event: Event, frame: Frame, me: str, instance: InstanceValue, class_: ClassValue, linker: LinkedProgram
) -> Held | None:
    """What a statement of a method stores on its object, in an attribute, in the container that one holds, or, if it is
    a container itself, in it."""
    site, method = Site(class_.module, event.span), frame.function.name
    match event:
        case Store(target=Parameter(name=name), attribute=attribute, value=value) if name == me:
            return None if _is_taken_back(event, frame) else Held(attribute, value, frame, site, class_, method)
        case ItemStore(target=target, value=value):
            filled = attribute_filled(target)
            if filled is not None and is_the_object(filled.base, me):
                if _is_of_the_class(filled.name, instance, linker):
                    return None
                return Held(filled.name, value, frame, site, class_, method, False, key_put(event))
            is_own = is_the_object(target, me) and kind_of_items(instance, linker.classes) is not None
            if is_own and puts_plainly(event, instance, class_, linker.classes):
                return Held(OWN_ITEMS, value, frame, site, class_, method, False, key_put(event))
            return None
        case _:
            return None


def _is_of_the_class(attribute: str, instance: InstanceValue, linker: LinkedProgram) -> bool:
    """Whether an attribute is the class's own, and no object has one of that name: it is in the state of none."""
    state = linker.classes.states.state(instance)
    has_own = any(held.direct and held.attribute == attribute for held in state)
    return not has_own and is_class_attribute(attribute, instance, linker.classes)


def _is_kept_for_good(value: AbstractValue, held: Held) -> bool:
    """Whether a value that is stored late is none that is opened where it is used: a function, or an object of a class
    that a call makes. A function in a container may be taken out when it has been called."""
    match value:
        case FunctionValue(bound=None):
            return held.direct
        case ContainerValue(kind=kind) as made:
            return kind.endswith("()") and name_of(made) is not None
        case _:
            return False


def _is_taken_back(stored: Store, frame: Frame) -> bool:
    """Whether the method that stores an attribute always deletes it again: it holds only while the method runs."""
    return any(
        isinstance(event, Delete)
        and event.attribute == stored.attribute
        and reads_the_same(event.target, stored.target)
        and frame.paths.is_followed_by(stored.span.start, event.span.start)
        for event in frame.function.events
    )


def _cached(
    method: FunctionFacts, frame: Frame, root: Root, class_: ClassValue, linker: LinkedProgram
) -> Iterator[Crossing]:
    """Functions that a `cached_property` gives: whoever reads it makes the object keep them."""
    if not method.decorated_by("cached_property"):
        return
    is_offered = root.is_given and not method.name.startswith("_")
    source = replace(root, confidence=Confidence.LIKELY) if is_offered else root
    for value in method.returns:
        site = Site(class_.module, value.span)
        held = Held(method.name, value, frame, site, class_, method.name)
        hop = Hop(f"{class_.facts.name} keeps what {method.name} gives", site)
        for traced in linker.evaluator.evaluate(value, frame):
            if isinstance(traced.value, FunctionValue) and traced.value.is_nameless:
                yield _crossing(traced.after(hop), source, held, class_, linker)


def _crossing(traced: TracedValue, root: Root, held: Held, class_: ClassValue, linker: LinkedProgram) -> Crossing:
    path = f"{class_.facts.name}.{held.attribute}"
    holder = linker.activations.instance(class_)
    return Crossing(traced.value, traced.site, traced.hops, path, root, None, holder, held)
