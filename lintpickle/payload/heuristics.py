"""What probably crosses although no boundary in sight ships it: transforms that a function makes by calling a library,
datasets of local classes that it returns, and functions that a method stores after construction."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from lintpickle.diagnostics import Confidence
from lintpickle.facts.records import Called, Store
from lintpickle.facts.values import Call, Name, Parameter, Value, may_be
from lintpickle.interpreter.abstract_values import (
    ClassThing,
    ExternalThing,
    FunctionThing,
    Hop,
    InstanceThing,
    Reached,
    Site,
)
from lintpickle.interpreter.frames import Bound, Frame
from lintpickle.interpreter.instance_state import Held
from lintpickle.interpreter.root_frames import Activation
from lintpickle.parsing.outline import Plot
from lintpickle.payload.payload import Crossing, Root
from lintpickle.prefilter.glance import holds_inner_scope
from lintpickle.prefilter.marks import LAMBDA, LOCAL_CLASS, LOCAL_FUNCTION
from lintpickle.prefilter.screen import IMPORT, INNER_CLASS
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

if TYPE_CHECKING:
    from lintpickle.payload.linker import Linker

_TRANSFORMS = Words({"transforms", "albumentations", "Compose"})
_MAKES_OBJECT = re.compile(r"[A-Z]\w*\s*\(")
_CALLED = re.compile(r"\b((?:[^\W\d]\w*\s*\.\s*)*[A-Z]\w*)\s*\(")
_FUNCTIONS = frozenset({LAMBDA, LOCAL_FUNCTION})


_ASSIGNED = re.compile(r"(?:^|\n)[ \t]*([^\W\d]\w*)[ \t]*=[ \t]*$")
_LONGEST_NAME = 100
"""How far before a call the name is looked for that gets what it makes."""

_DATASETS = frozenset({"dataset", "iterable-dataset"})
_INNER_CLASS = re.compile(r"\n[ \t]+class\s+\w+\s*\(([^:]*)")
_DOTTED = re.compile(r"[^\W\d]\w*(?:\.\w+)*")


def returned_datasets(linker: Linker) -> Iterator[Crossing]:
    """Datasets of a class that a function defines and returns, or the class itself, unless a boundary in sight is
    known to ship it."""
    for module in linker.modules:
        for plot in module.outline.plots:
            wanted = (
                not plot.bare
                and _may_define_dataset(module, plot, linker)
                and any(mark.form == LOCAL_CLASS for mark in module.facts.marks(plot))
            )
            room = module.room(plot) if wanted else None
            for activation in linker.activations.in_room(module, room, INNER_CLASS) if room is not None else ():
                local = {id(facts) for facts in activation.function.classes}
                for value in activation.function.returns if local else ():
                    yield from _returned(value, activation, local, linker)


def _may_define_dataset(module: Module, plot: Plot, linker: Linker) -> bool:
    """Whether a class stands in the plot that derives from a dataset, or from what only the plot itself knows."""
    if module.code.find("class", plot.span.start + 1, plot.span.end) < 0:
        return False
    for match in _INNER_CLASS.finditer(module.code, plot.span.start, plot.span.end):
        for base in _DOTTED.findall(match.group(1)):
            head = base.partition(".")[0]
            is_known = head in module.outline.imports or module.outline.binding(head)
            if not is_known or linker.headers.kind_of_name(module, base) in _DATASETS:
                return True
    return False


def _returned(value: Value, activation: Activation, local: set[int], linker: Linker) -> Iterator[Crossing]:
    for reached in linker.evaluator.evaluate(value, activation.frame):
        class_ = reached.thing.class_ if isinstance(reached.thing, InstanceThing) else reached.thing
        if not isinstance(class_, ClassThing) or id(class_.facts) not in local:
            continue
        is_dataset = linker.classes.kind(class_) in _DATASETS
        if is_dataset and not linker.is_told("shipped", class_, activation.frame.module):
            site = Site(class_.module, class_.facts.header)
            root = Root(
                Confidence.LIKELY, linker.start_methods_of_workers(site.module), None, "dataset", site, whole=False
            )
            hop = Hop(f"{class_.facts.name} is a Dataset: a DataLoader pickles it for each worker", site)
            name = f"{activation.function.name}()"
            yield Crossing(reached.thing, site, (hop, *reached.hops), name, root, None)


def transform_words(marks: Collection[str]) -> frozenset[str]:
    """The words one of which stands where `made_transforms` finds some, if rules ask for what they may hold."""
    return frozenset() if _FUNCTIONS.isdisjoint(marks) else _TRANSFORMS.all


def made_transforms(linker: Linker) -> Iterator[Crossing]:
    """What the transforms hold that functions make from a library's classes (`Compose([lambda image: …])`), unless
    the function applies them itself. Without workers in the program, they are merely possible."""
    for module in linker.modules:
        if not _TRANSFORMS.are_in(module.lexicon):
            continue
        for plot in module.outline.plots:
            wanted = (
                not plot.bare
                and _may_hold_function(module.facts.text(plot))
                and _may_make_transform(module, plot, linker)
                and any(mark.form in _FUNCTIONS for mark in module.facts.marks(plot))
            )
            room = module.room(plot) if wanted else None
            found = linker.activations.in_room(module, room, _MAKES_OBJECT) if room is not None else ()
            for activation in found:
                yield from _made_in(activation, linker)


def _may_hold_function(text: str) -> bool:
    """Whether a lambda or a local function can stand in a plot."""
    return "lambda" in text or holds_inner_scope(text)


def _may_make_transform(module: Module, plot: Plot, linker: Linker) -> bool:
    """Whether something is called in the plot that has the name of a transform, as far as imports tell."""
    text = module.facts.text(plot)
    if IMPORT.search(text) and _TRANSFORMS.stand_at(module.code, plot.span):
        return True
    names = {"".join(name.split()) for name in _CALLED.findall(text)}
    return any(linker.headers.kind_of_name(module, name) == "transform" for name in names)


def _made_in(activation: Activation, linker: Linker) -> Iterator[Crossing]:
    calls = [event.call for event in activation.function.events if isinstance(event, Called)]
    made = [(call, path) for call in calls if (path := _transform(call, activation.frame, linker)) is not None]
    applied = [call.span for call, _ in made if _is_applied(call, calls, activation, linker)]
    confidence = Confidence.LIKELY if made and linker.has_workers(activation.frame.module) else Confidence.POSSIBLE
    for call, path in made:
        if any(span.start <= call.span.start and call.span.end <= span.end for span in applied):
            continue
        site = Site(activation.frame.module, call.span)
        name = path.rpartition(".")[2]
        root = Root(confidence, linker.start_methods_of_workers(site.module), None, "transform", site)
        hop = Hop(f"{name} is a transform: it travels with any dataset that holds it", site)
        for reached in linker.evaluator.evaluate(call, activation.frame):
            yield from linker.payload.crossings(reached.after(hop), root, name, None)


def _is_applied(call: Call, calls: Iterable[Call], activation: Activation, linker: Linker) -> bool:
    """Whether what a call makes is called: by the function that makes it, or, if it is a global name's, by any of the
    module."""
    if any(may_be(other.function, call) for other in calls):
        return True
    module, function = activation.frame.module, activation.function
    name = _ASSIGNED.search(module.code, max(0, call.span.start - _LONGEST_NAME), call.span.start)
    if not function.is_module_body or name is None:
        return False
    calling = re.compile(rf"(?<![\w.]){name[1]}\s*\(")
    plots = (plot for plot in module.outline.plots if calling.search(module.code, plot.span.start, plot.span.end))
    return any(
        isinstance(event, Called) and isinstance(event.call.function, Name) and event.call.function.name == name[1]
        for room in map(module.room, plots)
        if room is not None
        for other in linker.activations.in_room(module, room, calling)
        for event in other.function.events
    )


def _transform(call: Call, frame: Frame, linker: Linker) -> str | None:
    for reached in linker.evaluator.evaluate(call.function, frame):
        if isinstance(reached.thing, ExternalThing) and linker.catalog.kind_of_class(reached.thing.path) == "transform":
            return reached.thing.path
    return None


def stored_later(class_: ClassThing, root: Root, linker: Linker) -> Iterator[Crossing]:
    """Functions that methods store on the instance after construction. Other things stored late are mostly opened
    where they are used, which is the cure and no hazard."""
    instance = linker.activations.instance(class_)
    built = {held.site.span for held in linker.classes.states.state(instance)}
    for method in class_.facts.methods.values():
        if not method.parameters or method.decorated_by("staticmethod", "classmethod"):
            continue
        me = method.parameters[0].name
        frame = Frame(class_.module, method, {me: Bound(thing=instance)}, class_.frame, 1, open=True)
        for event in method.events:
            if not isinstance(event, Store) or event.span in built:
                continue
            if not isinstance(event.target, Parameter) or event.target.name != me:
                continue
            site = Site(class_.module, event.span)
            held = Held(event.attribute, event.value, frame, site, class_, method.name)
            hop = Hop(f"{class_.facts.name}.{method.name} stores it", site)
            for reached in linker.evaluator.evaluate(event.value, frame):
                if isinstance(reached.thing, FunctionThing) and reached.thing.bound is None:
                    yield _crossing(reached.after(hop), root, held, class_, linker)


def _crossing(reached: Reached, root: Root, held: Held, class_: ClassThing, linker: Linker) -> Crossing:
    path = f"{class_.facts.name}.{held.attribute}"
    holder = linker.activations.instance(class_)
    return Crossing(reached.thing, reached.site, reached.hops, path, root, None, holder, held)
