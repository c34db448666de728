"""Conditions that options of the command line decide, as they come out if a user gives none: `if self.jobs <= 1:`,
where `self.jobs` comes from `add_argument("--jobs", type=int, default=2)`."""

from __future__ import annotations

import ast

from lintpickle.analyses.calls_and_values.hierarchies import stores_of
from lintpickle.analyses.workers.worker_starts import option_default
from lintpickle.control_flow.claims import COMPARED, is_of_several, tests_in
from lintpickle.control_flow.steps import BranchStep
from lintpickle.diagnostics import Span
from lintpickle.facts.values import Attribute, without_narrowing
from lintpickle.interpreter.abstract_values import Bound, Frame, InstanceValue
from lintpickle.interpreter.frames import passed_first
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module


def is_reached_by_default(place: Span, frame: Frame, asking: Module, linker: Linker) -> bool:
    """Whether a run gets to a place in a function, though a condition on the way is not decided, because all that
    decides are options with defaults that lead there. `asking` is the module being judged."""
    if any(_is_a_case(step) for step in frame.paths.steps(place.start)):
        return False
    tests = linker.conditions.tests_before(place, frame)
    parts = [part for test, holds in tests for part in tests_in(test, holds)]
    by_default = [_comes_out_by_default(test, holds, frame, asking, linker) for test, holds in parts]
    decided = [
        is_so is not None or is_of_several(test, holds) for is_so, (test, holds) in zip(by_default, parts, strict=True)
    ]
    return True in by_default and False not in by_default and all(decided)


def _is_a_case(step: BranchStep) -> bool:
    """Whether a step is an exception that is caught, or a case of a `match`."""
    return not step.conditions and (isinstance(step.node, ast.Match) or hasattr(step.node, "handlers"))


def _comes_out_by_default(test: ast.expr, holds: bool, frame: Frame, asking: Module, linker: Linker) -> bool | None:
    """Whether a test answers so by the default of the option that it asks for; None if it asks for anything else."""
    match test:
        case ast.Compare(left=asked, ops=[compared], comparators=[ast.Constant(value=int() as limit)]):
            default = _default(asked, frame, asking, linker)
            compare = COMPARED.get(type(compared))
            return bool(compare(default, limit)) is holds if default is not None and compare is not None else None
        case ast.Compare(left=asked, ops=[ast.Is() | ast.IsNot() as compared], comparators=[ast.Constant(value=None)]):
            default = _default(asked, frame, asking, linker)
            return isinstance(compared, ast.IsNot) is holds if default is not None else None
        case ast.Name() | ast.Attribute():
            default = _default(test, frame, asking, linker)
            return bool(default) is holds if default is not None else None
        case _:
            return None


def _default(asked: ast.expr, frame: Frame, asking: Module, linker: Linker) -> int | None:
    bound = passed_first(_bound(asked, frame, linker))
    option = without_narrowing(bound.expr) if bound is not None and bound.expr is not None else None
    if bound is None or not isinstance(option, Attribute):
        return None
    return option_default(option.name, bound.frame, asking, linker)


def _bound(asked: ast.expr, frame: Frame, linker: Linker) -> Bound | None:
    """What a parameter is bound to, or an attribute of the method's own object that only construction stores."""
    match asked:
        case ast.Name(id=name) if name not in frame.function.variables:
            return frame.bindings.get(name)
        case ast.Attribute(value=ast.Name(id=me), attr=attribute):
            owner = frame.bindings.get(me)
            instance = owner.value if owner is not None else None
            if not isinstance(instance, InstanceValue):
                return None
            stores = list(stores_of(linker.classes.mro(instance), attribute))
            held = [each for each in linker.classes.states.state(instance) if each.attribute == attribute]
            is_one = len(held) == len(stores) == 1 and held[0].direct
            return Bound(expr=held[0].value, frame=held[0].frame) if is_one else None
        case _:
            return None
