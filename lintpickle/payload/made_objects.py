"""Functions that objects hold which a function makes, or gets and changes, and returns: nothing in sight ships these
objects, but whoever calls the function may."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.diagnostics import Confidence
from lintpickle.facts.records import Store
from lintpickle.facts.values import Call, Parameter, options_of
from lintpickle.interpreter.abstract_values import (
    UNKNOWN,
    ClassValue,
    FunctionValue,
    Hop,
    InstanceValue,
    Site,
    TracedValue,
)
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.parsing.outline import Block
from lintpickle.payload.by_kind import SHIPPED_KINDS
from lintpickle.payload.crossings import Crossing, Root
from lintpickle.payload.protocols import LinkedProgram
from lintpickle.prefilter.forms import FORMS, LAMBDA, LOCAL_FUNCTION
from lintpickle.program.module import Module

_FUNCTIONS = (LAMBDA, LOCAL_FUNCTION)
_FUNCTION_NAMES = frozenset({"func", "function", "fn", "f", "method", "callback", "cls", "class_", "wrapped"})
"""Names of parameters of decorators: what is stored on a function or class does not travel with it."""
_OWN_CLASS = {"cls", "__class__", "self"}
"""How a method names the class of its object: `type(self)(…)` too."""
_CLASS = "class "


def made_objects(linker: LinkedProgram, pedantic: bool) -> Iterator[Crossing]:
    """Lambdas and local functions that an object of a class of the module holds, where a function returns it that gave
    them to it. They are likely where the object is made to be shipped and loaders of the program have workers, or where
    the users of a library get it; else merely possible."""
    for module in linker.modules:
        if _CLASS not in module.code or not (pedantic or linker.users.are_there(module) or linker.has_loaders(module)):
            continue
        form = _form(module)
        for block in module.outline.blocks:
            facts = module.facts_of(block) if _is_wanted(module, block) else None
            for root_frame in linker.activations.in_block(module, facts, form) if facts is not None else ():
                if root_frame.function.returns and not root_frame.function.is_generator:
                    yield from _returned_by(root_frame, linker, pedantic)
                    yield from _stored_by(root_frame, linker, pedantic)
                    linker.evaluator.forget()


def _form(module: Module) -> re.Pattern[str]:
    """What stands in a method that makes an object of a class of the module, or a function itself."""
    classes = {header.name for block in module.outline.blocks for header in block.classes}
    names = "|".join(sorted(map(re.escape, classes | _OWN_CLASS)))
    return re.compile(rf"\b(?:{names})\s*\)?\s*\(|\blambda\b|\n[ \t]+(?:async[ \t]+)?def\b")


def _is_wanted(module: Module, block: Block) -> bool:
    text = module.facts.text(block)
    may_hold = not block.bare and any(FORMS[form].may_stand_in(text) for form in _FUNCTIONS)
    return may_hold and any(mark.form in _FUNCTIONS for mark in module.facts.marks(block))


def _returned_by(root_frame: RootFrame, linker: LinkedProgram, pedantic: bool) -> Iterator[Crossing]:
    module = root_frame.frame.module
    for value in dict.fromkeys(option for each in root_frame.function.returns for option in options_of(each)):
        if not isinstance(value, Call) or not value.arguments or not _may_make(value, root_frame, linker):
            continue
        for traced in linker.evaluator.evaluate(value, root_frame.frame):
            made = traced.value
            if not isinstance(made, InstanceValue) or made.call is None or made.class_.module is not module:
                continue
            confidence = _confidence(made.class_, root_frame, linker)
            if confidence is Confidence.POSSIBLE and not pedantic:
                continue
            yield from _held_by(traced, made, confidence, root_frame, linker)


def _may_make(call: Call, root_frame: RootFrame, linker: LinkedProgram) -> bool:
    """Whether a call may give an object of a class of the module: what is called is such a class, or a function."""
    module = root_frame.frame.module
    return any(
        isinstance(each.value, FunctionValue)
        or (isinstance(each.value, ClassValue) and each.value.module is module)
        or each.value is UNKNOWN
        for each in linker.evaluator.evaluate(call.function, root_frame.frame)
    )


def _stored_by(root_frame: RootFrame, linker: LinkedProgram, pedantic: bool) -> Iterator[Crossing]:
    """Functions that are stored on an object that is given and returned, as `m.forward = forward`. Of a library, they
    are likely where users call it."""
    module, me = root_frame.frame.module, root_frame.instance_name
    returned = {each.name for each in root_frame.function.returns if isinstance(each, Parameter)} - _FUNCTION_NAMES
    for event in root_frame.function.events:
        match event:
            case Store(target=Parameter(name=name), attribute=attribute) if name in returned and name != me:
                found = linker.evaluator.evaluate(event.value, root_frame.frame)
            case _:
                continue
        held = [each for each in found if isinstance(each.value, FunctionValue) and each.value.is_nameless]
        if not held or not (pedantic or linker.users.get(root_frame)):
            continue
        confidence = Confidence.LIKELY if linker.users.get(root_frame) else Confidence.POSSIBLE
        site = Site(module, event.span)
        root = Root(confidence, linker.start_methods_of_workers(module), None, "object", site, is_given=True)
        hop = Hop(f"{root_frame.function.name}() stores it on what it returns: its callers may ship that", site)
        for each in held:
            yield Crossing(each.value, each.site, (hop, *each.hops), f"{name}.{attribute}", root, None)


def _confidence(class_: ClassValue, root_frame: RootFrame, linker: LinkedProgram) -> Confidence:
    module = root_frame.frame.module
    is_shipped = linker.classes.kind(class_) in SHIPPED_KINDS - {"process"}
    is_likely = is_shipped and linker.has_loaders(module) and not linker.is_idle(class_)
    return Confidence.LIKELY if is_likely or linker.users.get(root_frame) else Confidence.POSSIBLE


def _held_by(
    traced: TracedValue, made: InstanceValue, confidence: Confidence, root_frame: RootFrame, linker: LinkedProgram
) -> Iterator[Crossing]:
    class_, module = made.class_, root_frame.frame.module
    call, frame = made.call, made.frame
    site = Site(frame.module, call.span) if call is not None and frame is not None else traced.site
    methods = linker.start_methods_of_workers(module)
    root = Root(confidence, methods, None, linker.classes.kind(class_) or "object", site, is_given=True)
    name = root_frame.function.qualname.rpartition(".<locals>.")[2]
    hop = Hop(f"{name}() returns {class_.facts.name}(…): its callers may ship it", site)
    for crossing in linker.payload.crossings(traced.after(hop), root, class_.facts.name, None):
        if isinstance(crossing.value, FunctionValue) and crossing.value.is_nameless:
            yield crossing
