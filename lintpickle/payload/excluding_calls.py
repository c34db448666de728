"""Boundaries to which none of the calls leads that are seen. Who uses a library may call what it offers otherwise."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.boundaries.names import UNFOLLOWED_KIND
from lintpickle.call_graph.callers import Calling
from lintpickle.call_graph.chosen_functions import is_made_of
from lintpickle.call_graph.running import frame_at
from lintpickle.control_flow.claims import tests_in
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Argument, Call, Constant, Expr, Name
from lintpickle.interpreter.abstract_values import Doubt, Frame, FunctionValue, InstanceValue
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.limits import CALLERS
from lintpickle.payload.components import Components
from lintpickle.payload.entry_arguments import UNKNOWN_ARGUMENTS

_OFTEN = 3
"""So many calls that are seen show how a function is meant, though a library offers it to others, too, if these would
have to turn something off (`wait=True`). What they have to turn on is there to be used."""


def is_excluded_by_all_calls(boundary: BoundaryCall, root: RootFrame, event: Called, parts: Components) -> bool:
    """Whether calls of the function around a boundary are seen, or objects whose method it is, and none of them leads
    to it: they do not get there, or choose something else to call."""
    if boundary.spec.kind == UNFOLLOWED_KIND:
        return False
    if Doubt.CONDITION in boundary.doubts:
        return _do_all_calls(root, event, parts, lambda frame: not parts.conditions.may_get_to(event.span, frame))
    return Doubt.BRANCH in boundary.doubts and _choose_all_otherwise(root, event, parts)


def is_excluded_by_its_object(boundary: BoundaryCall, root: RootFrame, event: Called, parts: Components) -> bool:
    """Whether a method does not get to a boundary on any object of its class, whatever that is made with, as long as
    nothing but its constructor has changed it: `self.in_process = True`."""
    owner, me = root.owner, root.instance_name
    if owner is None or me is None or root.is_constructor or Doubt.CONDITION not in boundary.doubts:
        return False
    header = root.frame.function.header
    anything = tuple(Argument(Expr(header), None, star) for star in ("*", "**"))
    made = InstanceValue(owner, Call(header, Name(header, owner.facts.name), anything), parts.classes.body_frame(owner))
    frame = parts.evaluator.activate(
        FunctionValue(owner.module, root.function, owner.frame, made), UNKNOWN_ARGUMENTS, root.frame.depth
    )
    return frame is not None and not parts.conditions.may_get_to(event.span, frame)


def is_kept_back_by_all_calls(root: RootFrame, parts: Components) -> bool:
    """Whether a function is defined in another one, of which calls are seen, and none of them gets to a place that does
    anything with it: `return in_process if is_apart else function`, where nobody sets `is_apart`."""
    outer = root.frame.parent
    if outer is None or outer.bindings or root.owner is not None or root.function.decorators:
        return False
    enclosing = RootFrame(outer, None)
    if not _has_parameters(enclosing) or _is_offered(enclosing, parts):
        return False
    uses = list(_uses(root.function, outer))
    frames = [each.frame for each in _calls(enclosing, parts)] if uses else []
    return 0 < len(frames) < CALLERS.most and not any(
        parts.conditions.may_get_to(use, frame) for frame in frames for use in uses
    )


def _uses(function: FunctionFacts, outer: Frame) -> Iterator[Span]:
    """Where a function names one that is defined in it."""
    code, inside, body = outer.module.code, function.span, outer.function.span
    for found in re.finditer(rf"(?<![\w.]){re.escape(function.name)}\b", code[body.start : body.end]):
        use = Span(body.start + found.start(), body.start + found.end())
        if not inside.start <= use.start < inside.end:
            yield use


def _choose_all_otherwise(root: RootFrame, event: Called, parts: Components) -> bool:
    """Whether what a function calls is one of several values, and a boundary for none of the calls of the function that
    are seen; without any, for none of the objects whose method it is."""
    if _is_offered(root, parts):
        return False
    frames = [each.frame for each in _calls(root, parts)] if _has_parameters(root) else []
    frames = frames or _on_objects(root, parts)
    made = (parts.boundaries.made(event, frame_at(event, frame, root, parts.evaluator)) for frame in frames)
    return 0 < len(frames) < CALLERS.most and not any(next(each, None) for each in made)


def is_behind_unused_option(calling: Calling, parts: Components) -> bool:
    """Whether the function that calls the one around a boundary does so under a condition, and none of its own calls
    that are seen gets there."""
    if calling.by is None or Doubt.CONDITION not in calling.doubts:
        return False
    caller, event, callee = calling.by
    return _do_all_calls(caller, event, parts, lambda frame: is_made_of(callee, event, frame, parts.evaluator) is False)


def _do_all_calls(root: RootFrame, event: Called, parts: Components, does: Callable[[Frame], bool]) -> bool:
    """Whether something can be said of the frames of a function in all calls that are seen, if there are any; of those
    of a method without parameters, on all objects that are seen to be made."""
    if not (_has_parameters(root) or root.owner is not None):
        return False
    is_offered = _is_offered(root, parts)
    if is_offered and not _is_behind_default(root, event, parts):
        return False
    frames = [each.frame for each in _calls(root, parts)] if _has_parameters(root) else _on_objects(root, parts)
    fewest = _OFTEN if is_offered else 1
    return fewest <= len(frames) < CALLERS.most and all(
        does(frame_at(event, frame, root, parts.evaluator)) for frame in frames
    )


def _is_behind_default(root: RootFrame, event: Called, parts: Components) -> bool:
    """Whether a call is only got to by who turns off what a parameter has on by default."""
    on = {each.name for each in root.function.parameters if isinstance(each.default, Constant) and each.default.value}
    tests = parts.conditions.tests_before(event.span, root.frame)
    asked = (tested for test, holds in tests for tested in tests_in(test, holds))
    return any(isinstance(test, ast.Name) and test.id in on and not holds for test, holds in asked)


def _on_objects(root: RootFrame, parts: Components) -> list[Frame]:
    return [frame for frame, _ in parts.callers.on_instances(root, root.frame.module.path)]


def _has_parameters(root: RootFrame) -> bool:
    """Whether a function has parameters, a method others than its object."""
    return len(root.function.parameters) > (root.owner is not None)


def _calls(root: RootFrame, parts: Components) -> Iterator[Calling]:
    return parts.callers.first(parts.callers.frames(root, root.frame.module.path))


def _is_offered(root: RootFrame, parts: Components) -> bool:
    """Whether a function is one that a library offers to its users: it stands in a package, and no name on the way to
    it begins with an underscore."""
    module = root.frame.module
    package = module.name if module.file.is_package else module.name.rpartition(".")[0]
    names = f"{module.name}.{root.function.qualname}".split(".")
    is_packaged = bool(package) and parts.program.find(package, module) is not None
    return is_packaged and not any(name.startswith(("_", "<")) for name in names)
