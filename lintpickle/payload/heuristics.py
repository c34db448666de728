"""Values that probably cross although no visible boundary ships them: transforms that a function makes by calling a
library, datasets of local classes that it returns, and functions that a method stores after construction."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from msgspec.structs import replace

from lintpickle.diagnostics import Confidence
from lintpickle.facts.records import Called, FunctionFacts, Store
from lintpickle.facts.values import Attribute, Call, Expr, Name, Parameter, may_be
from lintpickle.interpreter.abstract_values import (
    Bound,
    ClassValue,
    ExternalValue,
    Frame,
    FunctionValue,
    Hop,
    InstanceValue,
    Site,
    TracedValue,
)
from lintpickle.interpreter.held import Held
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.limits import NAME_LENGTH
from lintpickle.parsing.outline import Block
from lintpickle.payload.by_kind import SHIPPED_KINDS
from lintpickle.payload.payload import Crossing, Root
from lintpickle.payload.protocols import LinkedProgram
from lintpickle.prefilter.forms import FORMS, LAMBDA, LOCAL_CLASS, LOCAL_FUNCTION
from lintpickle.prefilter.screen import IMPORT, INNER_CLASS
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_TRANSFORMS = Words({"transforms", "albumentations", "Compose"})
_MAKES_OBJECT = re.compile(r"[A-Z]\w*\s*\(")
_CALLED = re.compile(r"\b((?:[^\W\d]\w*\s*\.\s*)*[A-Z]\w*)\s*\(")
_FUNCTIONS = frozenset({LAMBDA, LOCAL_FUNCTION})


_ASSIGNED = re.compile(r"(?:^|\n)[ \t]*([^\W\d]\w*)[ \t]*=[ \t]*$")
_CALLED_BY_LOADERS = ("__call__", "__getitem__", "__iter__")
"""Methods of what a loader is given, and of what that holds."""
_DATASETS = frozenset({"dataset", "iterable-dataset"})
_GIVEN_AWAY = SHIPPED_KINDS - {"process"}
_INNER_CLASS = re.compile(r"\n[ \t]+class\s+\w+\s*\(([^:]*)")
_DOTTED = re.compile(r"[^\W\d]\w*(?:\.\w+)*")


def returned_datasets(linker: LinkedProgram) -> Iterator[Crossing]:
    """Datasets of a class that a function defines and returns, or the class itself, unless a boundary in sight is
    known to ship it; and whatever else is made to be shipped, where users of a library get it from the function."""
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
                for value in root.function.returns if local else ():
                    yield from _returned(value, root, local, linker)


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


def _returned(value: Expr, root_frame: RootFrame, local: set[int], linker: LinkedProgram) -> Iterator[Crossing]:
    for traced in linker.evaluator.evaluate(value, root_frame.frame):
        class_ = traced.value.class_ if isinstance(traced.value, InstanceValue) else traced.value
        if not isinstance(class_, ClassValue) or id(class_.facts) not in local:
            continue
        kind = linker.classes.kind(class_)
        is_dataset = kind in _DATASETS
        if not is_dataset and not (kind in _GIVEN_AWAY and linker.gives(root_frame)):
            continue
        if not linker.is_shared("shipped", class_, root_frame.frame.module):
            site = Site(class_.module, class_.facts.header)
            root = Root(
                Confidence.LIKELY,
                linker.start_methods_of_workers(site.module),
                None,
                "dataset" if is_dataset else "object",
                site,
                whole=False,
                is_given=not is_dataset,
            )
            use = "is a Dataset: a DataLoader pickles it for each worker" if is_dataset else "is for who calls this"
            hop = Hop(f"{class_.facts.name} {use}", site)
            name = f"{root_frame.function.name}()"
            yield Crossing(traced.value, site, (hop, *traced.hops), name, root, None)


def transform_words(marks: Collection[str]) -> frozenset[str]:
    """Words, one of which occurs wherever `made_transforms` finds a transform, if a rule asks for what it may hold."""
    return frozenset() if _FUNCTIONS.isdisjoint(marks) else _TRANSFORMS.all


def made_transforms(linker: LinkedProgram) -> Iterator[Crossing]:
    """What the transforms hold that functions make from a library's classes (`Compose([lambda image: …])`), unless
    the program applies them itself. Without loaders that have workers, they are merely possible."""
    for module in linker.modules:
        if not _TRANSFORMS.are_in(module.lexicon):
            continue
        for block in module.outline.blocks:
            wanted = (
                not block.bare
                and _may_hold_function(module.facts.text(block))
                and _may_make_transform(module, block, linker)
                and any(mark.form in _FUNCTIONS for mark in module.facts.marks(block))
            )
            facts = module.facts_of(block) if wanted else None
            found = linker.activations.in_block(module, facts, _MAKES_OBJECT) if facts is not None else ()
            for root in found:
                yield from _made_in(root, linker)


def _may_hold_function(text: str) -> bool:
    """Whether a lambda or a local function can stand in a block."""
    return any(FORMS[mark].may_stand_in(text) for mark in _FUNCTIONS)


def _may_make_transform(module: Module, block: Block, linker: LinkedProgram) -> bool:
    """Whether something is called in the block that has the name of a transform, as far as imports tell."""
    text = module.facts.text(block)
    if IMPORT.search(text) and _TRANSFORMS.stand_at(module.code, block.span):
        return True
    names = {"".join(name.split()) for name in _CALLED.findall(text)}
    return any(linker.headers.kind_of_name(module, name) == "transform" for name in names)


def _made_in(root_frame: RootFrame, linker: LinkedProgram) -> Iterator[Crossing]:
    calls = [event.call for event in root_frame.function.events if isinstance(event, Called)]
    made = [(call, path) for call in calls if (path := _transform(call, root_frame.frame, linker)) is not None]
    left_out = {id(call) for call, _ in made if _is_left_out(call, calls, root_frame, linker)}
    module = root_frame.frame.module
    methods = linker.start_methods_of_workers(module) if len(left_out) < len(made) else ()
    used_up: set[Site] = set()
    """Where what stands that a transform holds which does not travel, or whose object is judged itself."""
    for call, path in sorted(made, key=lambda each: id(each[0]) not in left_out):
        site = Site(module, call.span)
        is_likely = linker.has_loaders(module) and not linker.is_loaded_without_workers(site)
        is_likely = is_likely or (_is_returned(call, root_frame.function) and linker.gives(root_frame))
        confidence = Confidence.LIKELY if is_likely else Confidence.POSSIBLE
        root = Root(confidence, methods, None, "transform", site)
        found = _held_by(call, path.rpartition(".")[2], root, root_frame, linker)
        if id(call) in left_out:
            used_up.update(crossing.site for crossing in found)
            continue
        for crossing in found:
            if crossing.site not in used_up:
                used_up.add(crossing.site)
                yield crossing


def _is_returned(call: Call, function: FunctionFacts) -> bool:
    return any(may_be(value, call) for value in function.returns)


def _held_by(call: Call, name: str, root: Root, root_frame: RootFrame, linker: LinkedProgram) -> Iterator[Crossing]:
    """A transform that a call makes, and what it holds."""
    hop = Hop(f"{name} is a transform: it travels with any dataset that holds it", root.site)
    for traced in linker.evaluator.evaluate(call, root_frame.frame):
        yield from linker.payload.crossings(traced.after(hop), root, name, None)


def _is_left_out(call: Call, calls: Iterable[Call], root: RootFrame, linker: LinkedProgram) -> bool:
    """Whether nothing is to be said of a transform that a function makes: it is applied on the spot, or kept by an
    object that is payload by its kind, so that what it holds is found where the class is judged."""
    if root.owner is not None and linker.classes.kind(root.owner) in SHIPPED_KINDS and _keepers(call, root):
        return True
    return _is_applied(call, calls, root, linker)


def _is_applied(call: Call, calls: Iterable[Call], root: RootFrame, linker: LinkedProgram) -> bool:
    """Whether what a call makes is called: by the function that makes it, by all that are seen to call that function,
    by a method of the object that keeps it, or, if it is a global name's, by any function of the module."""
    if any(may_be(other.function, call) for other in calls):
        return True
    if root.function.is_module_body:
        return _is_applied_in_module(call, root, linker)
    return _is_applied_by_callers(call, root, linker) or _is_applied_by_its_object(call, root, linker)


def _is_applied_by_callers(call: Call, root: RootFrame, linker: LinkedProgram) -> bool:
    if not _is_returned(call, root.function):
        return False
    found = linker.callers.calls(root, root.frame.module.path)
    return bool(found) and all(
        any(isinstance(event, Called) and may_be(event.call.function, given) for event in caller.function.events)
        for caller, given in found
    )


def _is_applied_by_its_object(call: Call, root: RootFrame, linker: LinkedProgram) -> bool:
    """Whether an object that is nothing of what loaders are given calls the transform that it keeps."""
    if root.owner is None:
        return False
    if any(linker.classes.find_method(root.owner, name) is not None for name in _CALLED_BY_LOADERS):
        return False
    kept = _keepers(call, root)
    return bool(kept) and any(
        isinstance(event, Called) and _is_kept_one(event.call.function, kept, method)
        for method in root.owner.facts.methods.values()
        for event in method.events
    )


def _keepers(call: Call, root: RootFrame) -> frozenset[str]:
    """The attributes in which a method keeps what a call makes."""
    me = root.instance_name
    return frozenset(
        event.attribute
        for event in root.function.events
        if isinstance(event, Store) and may_be(event.value, call) and me is not None and _is_named(event.target, me)
    )


def _is_kept_one(function: Expr, kept: Collection[str], method: FunctionFacts) -> bool:
    match function:
        case Attribute(base=base, name=name):
            return name in kept and bool(method.parameters) and _is_named(base, method.parameters[0].name)
        case _:
            return False


def _is_named(value: Expr, me: str) -> bool:
    return isinstance(value, Parameter) and value.name == me


def _is_applied_in_module(call: Call, root: RootFrame, linker: LinkedProgram) -> bool:
    module = root.frame.module
    name = _ASSIGNED.search(module.code, max(0, call.span.start - NAME_LENGTH.most), call.span.start)
    if name is None:
        return False
    calling = re.compile(rf"(?<![\w.]){name[1]}\s*\(")
    blocks = (block for block in module.outline.blocks if calling.search(module.code, block.span.start, block.span.end))
    return any(
        isinstance(event, Called) and isinstance(event.call.function, Name) and event.call.function.name == name[1]
        for facts in (module.facts_of(block) for block in blocks)
        if facts is not None
        for other in linker.activations.in_block(module, facts, calling)
        for event in other.function.events
    )


def _transform(call: Call, frame: Frame, linker: LinkedProgram) -> str | None:
    for traced in linker.evaluator.evaluate(call.function, frame):
        if isinstance(traced.value, ExternalValue) and linker.catalog.kind_of_class(traced.value.path) == "transform":
            return traced.value.path
    return None


def stored_later(class_: ClassValue, root: Root, linker: LinkedProgram) -> Iterator[Crossing]:
    """Functions that methods store on the instance after construction. Other values stored late are mostly opened
    where they are used, which is the cure and no hazard. Of a class that users of a library ship, they are likely where
    users call the method."""
    instance = linker.activations.instance(class_)
    built = {held.site.span for held in linker.classes.states.state(instance)}
    for method in class_.facts.methods.values():
        if not method.parameters or method.decorated_by("staticmethod", "classmethod"):
            continue
        me = method.parameters[0].name
        frame = Frame(class_.module, method, {me: Bound(value=instance)}, class_.frame, 1, open=True)
        yield from _cached(method, frame, root, class_, linker)
        for event in method.events:
            if not isinstance(event, Store) or event.span in built:
                continue
            if not isinstance(event.target, Parameter) or event.target.name != me:
                continue
            site = Site(class_.module, event.span)
            held = Held(event.attribute, event.value, frame, site, class_, method.name)
            hop = Hop(f"{class_.facts.name}.{method.name} stores it", site)
            is_offered = root.is_given and not method.name.startswith("_") and not event.guards
            source = replace(root, confidence=Confidence.LIKELY) if is_offered else root
            for traced in linker.evaluator.evaluate(event.value, frame):
                if isinstance(traced.value, FunctionValue) and traced.value.bound is None:
                    yield _crossing(traced.after(hop), source, held, class_, linker)


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
