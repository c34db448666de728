"""What is known, where workers are started, of the arguments that they get: `if args.export: work(args) else:
Process(target=work, args=(args,))` never makes a process that exports."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from lintpickle.catalog import BoundarySpec
from lintpickle.control_flow.claims import Claim
from lintpickle.control_flow.steps import start_of
from lintpickle.facts.records import FunctionFacts, Store
from lintpickle.interpreter.abstract_values import FunctionValue
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.pickle_time import PickleTime
from lintpickle.payload.claim_roots import parameter_root
from lintpickle.payload.entry_arguments import parameter_at

_ARGUMENTS = "args"


def claims_passed(
    known: Iterable[Claim], spec: BoundarySpec, pickling: PickleTime, evaluator: Evaluator
) -> Iterator[Claim]:
    """What claims on the variables of the function that starts workers say of the parameters of the function that these
    run, if the variables are passed as they were when they were tested."""
    claims = list(known)
    passed = _variables_passed(spec, pickling) if claims else []
    function = _function_run(spec, pickling, evaluator) if passed else None
    if function is None:
        return
    for place, name in passed:
        parameter = parameter_at(place, function.facts, spec)
        if parameter is None or parameter in function.facts.variables:
            continue
        for claim in claims:
            path = _path_from(name, claim)
            if path is None or (claim.compare is None and not path and _may_be_emptied(parameter, function)):
                continue
            if _is_kept(name, path, claim, pickling, function.facts):
                yield replace(claim, subject=f"{parameter_root(parameter, function.facts)}{path}")


def _function_run(spec: BoundarySpec, pickling: PickleTime, evaluator: Evaluator) -> FunctionValue | None:
    role = spec.functions[0] if spec.functions else ""
    given = pickling.call.argument(role, spec.parameters.index(role)) if role in spec.parameters else None
    match [each.value for each in evaluator.evaluate(given, pickling.frame)] if given is not None else []:
        case [FunctionValue() as function]:
            return function
        case _:
            return None


def _variables_passed(spec: BoundarySpec, pickling: PickleTime) -> list[tuple[int, str]]:
    """The variables that stand in `args`, each with its place."""
    if _ARGUMENTS not in spec.parameters:
        return []
    call = pickling.frame.module.expression(pickling.call.span)
    if not isinstance(call, ast.Call) or any(isinstance(each, ast.Starred) for each in call.args):
        return []
    at = spec.parameters.index(_ARGUMENTS)
    placed = call.args[at] if at < len(call.args) else None
    given = next((each.value for each in call.keywords if each.arg == _ARGUMENTS), placed)
    if not isinstance(given, (ast.Tuple, ast.List)) or any(isinstance(each, ast.Starred) for each in given.elts):
        return []
    return [(place, each.id) for place, each in enumerate(given.elts) if isinstance(each, ast.Name)]


def _path_from(name: str, claim: Claim) -> str | None:
    """The attributes that lead from a variable to what a claim is about; None if it is not about that."""
    path, asked = "", _asked(claim)
    while isinstance(asked, ast.Attribute):
        path, asked = f".{asked.attr}{path}", asked.value
    return path if isinstance(asked, ast.Name) and asked.id == name else None


def _asked(claim: Claim) -> ast.expr | None:
    asked = claim.test
    while isinstance(asked, ast.UnaryOp):
        asked = asked.operand
    if isinstance(asked, ast.Compare):
        return asked.left if claim.compare is not None else None
    return asked


def _is_kept(name: str, path: str, claim: Claim, pickling: PickleTime, function: FunctionFacts) -> bool:
    """Whether a variable holds, where it is passed, what it held when it was tested, and neither the function that
    passes it nor the one that gets it stores the attribute."""
    frame = pickling.frame
    before = frame.paths.reaching(name, start_of(claim.test))
    if before != frame.paths.reaching(name, frame.paths.position(pickling.call.span.start)):
        return False
    attributes = set(path.split("."))
    stores = (event for each in (frame.function, function) for event in each.events if isinstance(event, Store))
    return not any(event.attribute in attributes for event in stores)


def _may_be_emptied(parameter: str, function: FunctionValue) -> bool:
    """Whether a function does more with a parameter than to ask whether it is empty, and to pass it on."""
    body = function.facts.span
    return re.search(rf"\b{parameter}\s*[.\[]", function.module.code[body.start : body.end]) is not None
