"""What is known of a call's arguments by the conditions under which it is made: `if size is not None: Crop(size)`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import TypeAlias

from msgspec.structs import replace

from lintpickle.control_flow.claims import Claim, claims, contradict
from lintpickle.control_flow.steps import TreePosition, start_of
from lintpickle.diagnostics import Span
from lintpickle.facts.values import (
    Attribute,
    Call,
    Choice,
    Collection,
    Constant,
    Item,
    Mapping,
    Name,
    Parameter,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import Bound, Frame, InstanceValue
from lintpickle.limits import PASSED_FLAGS
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import is_special_name

ClaimsBefore: TypeAlias = Callable[[Span, Frame], tuple[Claim, ...]]
AskedPlace: TypeAlias = Callable[[], TreePosition]
_KNOWN_OTHERWISE = (Attribute, Choice, Collection, Constant, Item, Mapping, Name, Parameter)
"""What is evaluated, or may be anything."""
_NEVER_NONE = (ast.BinOp, ast.JoinedStr, ast.Compare)
"""What gives something, whatever it is made of."""


def answer_by_call(test: ast.expr, frame: Frame, claims_before: ClaimsBefore) -> bool | None:
    """How a test of a function comes out in a frame: it asks about a parameter, and the contrary of the other answer is
    known of the argument. None if that is not known. `claims_before` gives what the tests on the way to a place say
    there."""
    names = _names_in(test)
    passed = {each.name: frame.bindings[each.name] for each in frame.function.parameters if each.name in frame.bindings}
    if not any(_may_be_known(name, frame, claims_before, 0) for name in names.intersection(passed)):
        return None
    impossible = [
        answer
        for answer in (True, False)
        if any(
            _is_excluded(claim, frame, claims_before, partial(start_of, claim.test), 0)
            for claim in claims(test, answer)
        )
    ]
    return not impossible[0] if len(impossible) == 1 else None


@lru_cache(maxsize=2048)
def _names_in(test: ast.expr) -> frozenset[str]:
    return frozenset(each.id for each in within(test) if isinstance(each, ast.Name))


def _may_be_known(name: str, frame: Frame, claims_before: ClaimsBefore, steps: int) -> bool:
    """Whether anything is known of what a parameter is given, by the place where it is given, or passed on: a look at
    that spares most tests to be taken apart."""
    bound, called_by = frame.bindings.get(name), _call_of(frame)
    if bound is None or _is_something(bound):
        return bound is not None
    if called_by is None or steps > PASSED_FLAGS.most:
        return False
    caller, call = called_by
    if claims_before(call.span, caller):
        return True
    passed = without_narrowing(bound.expr) if bound.expr is not None and bound.frame is caller else None
    return isinstance(passed, Parameter) and _may_be_known(passed.name, caller, claims_before, steps + 1)


def _is_excluded(claim: Claim, frame: Frame, claims_before: ClaimsBefore, place: AskedPlace, steps: int) -> bool:
    """Whether the contrary of what is said of a parameter at a place is known of the argument: by what that is, or by
    the conditions on the way to the place where it is given, or passed on."""
    name = asked_variable(claim)
    bound = frame.bindings.get(name) if name is not None and frame.function.parameter(name) is not None else None
    if name is None or bound is None or not _is_denied(claim, name, bound, frame, claims_before, steps):
        return False
    return not frame.paths.reaching(name, place())[0]


def _is_denied(claim: Claim, name: str, bound: Bound, frame: Frame, claims_before: ClaimsBefore, steps: int) -> bool:
    """The same for a parameter that the function does not bind again."""
    if claim.answer and claim.compare is not None and claim.other is None and _is_something(bound):
        return True
    called_by = _call_of(frame)
    if called_by is None:
        return False
    caller, call = called_by
    known = claims_before(call.span, caller)
    argument = argument_passed(name, call, frame, caller) if known else None
    if argument is not None and _is_contradicted(claim, argument, known, call, caller):
        return True
    return _is_denied_further_out(claim, bound, call, caller, claims_before, steps)


def _is_contradicted(claim: Claim, argument: ast.expr, known: Sequence[Claim], call: Call, caller: Frame) -> bool:
    """Whether what is said of an argument of a call cannot be true together with what is known where that is made."""
    said = replace(claim, subject=ast.dump(argument))
    return any(contradict(said, each) and _is_stable(argument, each.test, call, caller) for each in known)


def _is_denied_further_out(
    claim: Claim, bound: Bound, call: Call, caller: Frame, claims_before: ClaimsBefore, steps: int
) -> bool:
    """The same for what has only been passed on: a parameter of the function that calls, or of one that calls that."""
    passed = without_narrowing(bound.expr) if bound.expr is not None else None
    if not isinstance(passed, Parameter) or bound.frame is not caller or passed.owner != caller.function.qualname:
        return False
    if steps > PASSED_FLAGS.most:
        return False
    mine = replace(claim, test=ast.Name(passed.name, ast.Load()))
    return _is_excluded(mine, caller, claims_before, lambda: caller.paths.position(call.span.start), steps + 1)


def _is_something(bound: Bound) -> bool:
    """Whether what a parameter is bound to gives an object, whatever that is made of, and not None."""
    given = without_narrowing(bound.expr) if bound.expr is not None else None
    if given is None or bound.expr is None or bound.frame is None or isinstance(given, _KNOWN_OTHERWISE):
        return False
    if isinstance(given, Call) and not (isinstance(given.function, Attribute) and is_special_name(given.function.name)):
        return False
    return isinstance(bound.frame.module.expression(bound.expr.span), _NEVER_NONE)


def _call_of(frame: Frame) -> tuple[Frame, Call] | None:
    """The call that led to a frame, and the frame in which it stands; for a constructor, the call that makes the
    object."""
    if frame.called_by is not None:
        return frame.called_by
    parameters = frame.function.parameters
    bound = frame.bindings.get(parameters[0].name) if parameters and frame.function.name == "__init__" else None
    made = bound.value if bound is not None else None
    if not isinstance(made, InstanceValue) or made.call is None or made.frame is None:
        return None
    is_own = made.class_.facts.methods.get("__init__") is frame.function
    return (made.frame, made.call) if is_own else None


def asked_variable(claim: Claim) -> str | None:
    """The variable of which a claim says that it is true, or is or is not a constant."""
    asked = claim.test
    while isinstance(asked, ast.UnaryOp):
        asked = asked.operand
    if isinstance(asked, ast.Compare):
        asked = asked.left if claim.compare is not None else asked
    return asked.id if isinstance(asked, ast.Name) else None


def argument_passed(name: str, call: Call, frame: Frame, caller: Frame) -> ast.expr | None:
    """What a call passes for a parameter, if that is a name or an attribute."""
    made = caller.module.expression(call.span)
    if not isinstance(made, ast.Call) or len(made.args) + len(made.keywords) != len(call.arguments):
        return None
    found = next((each.value for each in made.keywords if each.arg == name), None)
    if found is None and not any(isinstance(each, ast.Starred) for each in made.args):
        first = frame.bindings.get(frame.function.parameters[0].name)
        is_bound = first is not None and first.value is not None
        named = [each.name for each in frame.function.parameters if each.kind.startswith("positional")][is_bound:]
        found = dict(zip(named, made.args, strict=False)).get(name)
    return found if isinstance(found, (ast.Name, ast.Attribute)) else None


def _is_stable(argument: ast.expr, test: ast.expr, call: Call, caller: Frame) -> bool:
    """Whether nothing of what an argument reads is stored between a test of it and the call."""
    row = caller.paths.position(call.span.start)[0]
    stores = places_stored(argument, caller)
    return reads_alone(argument) and not any(start_of(test) < place and place[0] <= row for place in stores)


def reads_alone(expression: ast.expr) -> bool:
    """Whether an expression calls nothing and takes no items, so that it gives the same until something is stored."""
    return not any(isinstance(each, (ast.Call, ast.Subscript)) for each in within(expression))


def places_stored(read: ast.expr, frame: Frame) -> Iterator[TreePosition]:
    """Where the function of a frame stores variables or attributes of the names that an expression reads."""
    names = {each.id if isinstance(each, ast.Name) else getattr(each, "attr", "") for each in within(read)} - {""}
    for node in within(frame.paths.tree):
        is_stored = isinstance(node, (ast.Name, ast.Attribute)) and not isinstance(node.ctx, ast.Load)
        if is_stored and not names.isdisjoint({getattr(node, "id", None), getattr(node, "attr", None)}):
            yield start_of(node)
