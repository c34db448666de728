"""Transforms that functions make by calling a library: they probably cross, although no visible boundary ships them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from lintpickle.diagnostics import Confidence
from lintpickle.facts.records import Called, FunctionFacts, ItemStore, Store
from lintpickle.facts.values import Attribute, Call, Collection, Expr, Name, Parameter, may_be, options_of
from lintpickle.interpreter.abstract_values import ClassValue, ExternalValue, Frame, Hop, Site
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.limits import CALLERS
from lintpickle.parsing.assigned import variable_of
from lintpickle.parsing.outline import Block
from lintpickle.payload.by_kind import SHIPPED_KINDS
from lintpickle.payload.crossings import Crossing, Root
from lintpickle.payload.protocols import LinkedProgram
from lintpickle.payload.unkept import is_given_to_be_called, is_in_unread_variable
from lintpickle.prefilter.forms import FORMS, LAMBDA, LOCAL_FUNCTION
from lintpickle.prefilter.screen import IMPORT
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_TRANSFORMS = Words({"transforms", "albumentations", "Compose"})
_MAKES_OBJECT = re.compile(r"[A-Z]\w*\s*\(")
_CALLED = re.compile(r"\b((?:[^\W\d]\w*\s*\.\s*)*[A-Z]\w*)\s*\(")
_FUNCTIONS = frozenset({LAMBDA, LOCAL_FUNCTION})
_OF_DATASETS = re.compile(r"(?:Dataset|Data_?[lL]oader)\b|\bdata_?(?:set|loader)s?\b\s*[(=]")
_CALLED_BY_LOADERS = ("__call__", "__getitem__", "__iter__")
"""Methods of what a loader is given, and of what that holds."""
_DATASETS = frozenset({"dataset", "iterable-dataset"})


def transform_words(marks: Iterable[str]) -> frozenset[str]:
    """Words, one of which occurs wherever `made_transforms` finds a transform, if a rule asks for what it may hold."""
    return frozenset() if _FUNCTIONS.isdisjoint(marks) else _TRANSFORMS.all


def made_transforms(linker: LinkedProgram) -> Iterator[Crossing]:
    """What the transforms hold that functions make from a library's classes (`Compose([lambda image: …])`), unless
    the program applies them itself. They are likely where a method or the code of a module makes them in a distribution
    with loaders that have workers, or where users of a library get them; else they are merely possible: those of a
    program of scripts are followed to the boundaries that ship them."""
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
    keepers = None if len(left_out) == len(made) else _keeping_calls(root_frame, linker)
    for call, path in sorted(made, key=lambda each: id(each[0]) not in left_out):
        site = Site(module, call.span)
        is_likely = linker.public.is_distributed(module) and linker.has_loaders(module)
        is_likely = is_likely and not linker.is_loaded_without_workers(site)
        is_likely = is_likely and (root_frame.function.is_module_body or _is_for_datasets(call, root_frame, linker))
        is_likely = is_likely or (_is_returned(call, root_frame.function) and linker.users.get(root_frame))
        confidence = Confidence.LIKELY if is_likely else Confidence.POSSIBLE
        root = Root(confidence, methods, None, "transform", site)
        found = _held_by(call, path.rpartition(".")[2], root, root_frame, linker)
        if id(call) in left_out:
            used_up.update(crossing.site for crossing in found)
            continue
        for crossing in found:
            if crossing.site not in used_up and not _is_excluded(crossing.site, keepers, root_frame, linker):
                used_up.add(crossing.site)
                yield crossing


def _is_for_datasets(call: Call, root: RootFrame, linker: LinkedProgram) -> bool:
    """Whether a method makes a transform that it does not give back, or whose class has to do with datasets: of what
    others give back, nothing is known but that somebody applies it."""
    if root.owner is None:
        return False
    given_back = (option for value in root.function.returns for part in _parts(value) for option in options_of(part))
    if not any(each.span.contains(call.span) for each in given_back):
        return True
    line = (each for each in linker.classes.mro(root.owner) if isinstance(each, ClassValue))
    texts = ((each.module.code, each.facts.span) for each in line)
    return any(_OF_DATASETS.search(code, span.start, span.end) for code, span in texts)


def _parts(value: Expr) -> tuple[Expr, ...]:
    """What is returned, each of a tuple."""
    return value.elements if isinstance(value, Collection) else (value,)


def _is_excluded(site: Site, keepers: Sequence[Frame] | None, root: RootFrame, linker: LinkedProgram) -> bool:
    """Whether calls of a function are seen, and none that keeps what it returns gets to a place in it."""
    if keepers is None or not Site(root.frame.module, root.function.span).contains(site):
        return False
    return not any(linker.conditions.may_get_to(site.span, frame) for frame in keepers)


def _is_returned(call: Call, function: FunctionFacts) -> bool:
    return any(may_be(value, call) for value in function.returns)


def _held_by(call: Call, name: str, root: Root, root_frame: RootFrame, linker: LinkedProgram) -> Iterator[Crossing]:
    """A transform that a call makes, and what it holds."""
    hop = Hop(f"{name} is a transform: it travels with any dataset that holds it", root.site)
    for traced in linker.evaluator.evaluate(call, root_frame.frame):
        yield from linker.payload.crossings(traced.after(hop), root, name, None)


def _is_left_out(call: Call, calls: Iterable[Call], root: RootFrame, linker: LinkedProgram) -> bool:
    """Whether nothing is to be said of a transform that a function makes: it is applied on the spot, kept by nobody, or
    kept by an object that is payload by its kind, so that what it holds is found where the class is judged."""
    if root.owner is not None and linker.classes.kind(root.owner) in SHIPPED_KINDS and _keepers(call, root):
        return True
    if is_in_unread_variable(call, root) or is_given_to_be_called(call, root, linker):
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
    return bool(found) and all(_is_used_up(given, caller, linker) for caller, given in found)


def _keeping_calls(root: RootFrame, linker: LinkedProgram) -> Sequence[Frame] | None:
    """The frames of a function as those call it that may keep what it returns; None if no call is seen, or if there are
    more than are followed."""
    if root.function.is_module_body or root.owner is not None:
        return None
    path = root.frame.module.path
    callers = {id(given): caller for caller, given in linker.callers.calls(root, path)}
    frames = [calling.frame for calling in linker.callers.first(linker.callers.frames(root, path))]
    if not frames or len(frames) >= CALLERS.most:
        return None
    made = ((frame, frame.called_by[1]) for frame in frames if frame.called_by is not None)
    return [
        frame for frame, call in made if id(call) not in callers or not _is_used_up(call, callers[id(call)], linker)
    ]


def _is_used_up(given: Call, caller: RootFrame, linker: LinkedProgram) -> bool:
    """Whether a function that gets a transform applies it, or the code of a module; or it is a method of a dataset,
    which workers call, and neither stores nor returns it."""
    events = caller.function.events
    if any(isinstance(event, Called) and may_be(event.call.function, given) for event in events):
        return True
    if caller.function.is_module_body:
        return _is_applied_in_module(given, caller, linker)
    if caller.owner is None or caller.is_constructor or linker.classes.kind(caller.owner) not in _DATASETS:
        return False
    stored = (event.value for event in events if isinstance(event, (Store, ItemStore)))
    return not any(may_be(value, given) for value in (*stored, *caller.function.returns))


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


def _is_kept_one(function: Expr, kept: frozenset[str], method: FunctionFacts) -> bool:
    match function:
        case Attribute(base=base, name=name):
            return name in kept and bool(method.parameters) and _is_named(base, method.parameters[0].name)
        case _:
            return False


def _is_named(value: Expr, me: str) -> bool:
    return isinstance(value, Parameter) and value.name == me


def _is_applied_in_module(call: Call, root: RootFrame, linker: LinkedProgram) -> bool:
    module = root.frame.module
    name = variable_of(module.code, call.span)
    if name is None:
        return False
    calling = re.compile(rf"(?<![\w.]){name}\s*\(")
    blocks = (block for block in module.outline.blocks if calling.search(module.code, block.span.start, block.span.end))
    return any(
        isinstance(event, Called) and isinstance(event.call.function, Name) and event.call.function.name == name
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
