"""What is known of a call's arguments by the conditions under which it is made: `if size is not None: Crop(size)`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from lintpickle.control_flow.claims import Claim, claims, contradict
from lintpickle.control_flow.steps import TreePosition, start_of
from lintpickle.diagnostics import Span
from lintpickle.facts.values import Call
from lintpickle.interpreter.abstract_values import Frame, InstanceValue
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import BrokenSyntax, parse_expression


def answer_by_call(
    test: ast.expr, frame: Frame, claims_before: Callable[[Span, Frame], tuple[Claim, ...]]
) -> bool | None:
    """How a test of a function comes out in a frame: it asks about a parameter, and the call is made where the contrary
    of the other answer is known of the argument. None if that is not known. `claims_before` gives what the tests on
    the way to a place say there."""
    called_by = _call_of(frame)
    if called_by is None:
        return None
    caller, call = called_by
    names = {each.id for each in within(test) if isinstance(each, ast.Name)}
    parameters = {each.name for each in frame.function.parameters if each.name in names}
    known = claims_before(call.span, caller) if parameters else ()
    if not known:
        return None
    impossible = [answer for answer in (True, False) if _is_excluded(test, answer, parameters, known, frame, called_by)]
    return not impossible[0] if len(impossible) == 1 else None


def _is_excluded(
    test: ast.expr,
    answer: bool,
    parameters: set[str],
    known: tuple[Claim, ...],
    frame: Frame,
    called_by: tuple[Frame, Call],
) -> bool:
    caller, call = called_by
    for claim in claims(test, answer):
        name = _asked(claim.test)
        argument = _argument(name, call, frame, caller) if name is not None and name in parameters else None
        if argument is None:
            continue
        mine = replace(claim, subject=ast.dump(argument))
        for theirs in known:
            if contradict(mine, theirs) and _is_stable(argument, theirs.test, call, caller):
                return True
    return False


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


def _asked(test: ast.expr) -> str | None:
    """The variable that a claim's test asks about."""
    while isinstance(test, ast.UnaryOp):
        test = test.operand
    asked = test.left if isinstance(test, ast.Compare) else test
    return asked.id if isinstance(asked, ast.Name) else None


def _argument(name: str, call: Call, frame: Frame, caller: Frame) -> ast.expr | None:
    """What a call passes for a parameter that its function does not bind again, if that is a name or an attribute."""
    if frame.paths.binds(name):
        return None
    try:
        made = parse_expression(caller.module.code[call.span.start : call.span.end])
    except BrokenSyntax:
        return None
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
    names = {each.id if isinstance(each, ast.Name) else getattr(each, "attr", "") for each in within(argument)}
    tree, row = caller.paths.in_tree(call.span.start)
    return not any(start_of(test) < place and place[0] <= row for place in _stored(tree, names)) and not any(
        isinstance(each, (ast.Call, ast.Subscript)) for each in within(argument)
    )


def _stored(tree: ast.AST, names: set[str]) -> Iterator[TreePosition]:
    """Where variables or attributes of these names get another value."""
    for node in within(tree):
        is_stored = isinstance(node, (ast.Name, ast.Attribute)) and not isinstance(node.ctx, ast.Load)
        if is_stored and not names.isdisjoint({getattr(node, "id", None), getattr(node, "attr", None)}):
            yield start_of(node)
