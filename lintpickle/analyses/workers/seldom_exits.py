"""Places at which a task would end its process, but to which it hardly comes: behind a question to the user, which
fails in a worker; where all the cases that are foreseen do not hold, or what a function is given is none of those that
it lists; where something fails that calls nothing; where somebody asks for help; where the defaults of a function
contradict what it asks; where what another process printed has not been read.

Measured with CPython 3.11 under fork, spawn and forkserver: `input()` raises EOFError in workers of a pool, whose
standard input is empty.

A condition that stands far off the task (`_FAR_OFF` calls or more) asks for what hardly ever is so, in most programs:
of 16 such exits that were read in public programs, four were ever come to, two of these where an error was handled."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from lintpickle.analyses.workers.streams_not_piped import asks_for_unread_stream
from lintpickle.builtin_names import BUILTINS
from lintpickle.control_flow.attempts import TRIES
from lintpickle.control_flow.claims import tests_in
from lintpickle.control_flow.paths import Paths
from lintpickle.control_flow.steps import BranchStep
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, Raised
from lintpickle.parsing.names_read import within
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_ASKING_USER = re.compile(r"(?<![\w.])input\s*\(")
_HELP = re.compile(r"\b(?:help|usage|version)\b", re.IGNORECASE)
_OF_THE_WORLD = frozenset({"exists", "is_dir", "is_file", "open", "input"})
"""What functions and methods are called whose answer does not depend on what they are given alone."""
_FAILING = (ast.Call, ast.Subscript, ast.Attribute, ast.BinOp, ast.Await)
"""What looks something up, or calls what may fail."""
_RECKONING = frozenset({"math", "numpy"})
_FAR_OFF = 2


def is_behind_question(place: Span, function: WorkerFunction) -> bool:
    """Whether a function asks the user before it comes to one of its places."""
    code, paths = function.module.code, function.frame.paths
    return any(
        not paths.exclude_each_other(asked.start(), place.start)
        for asked in _ASKING_USER.finditer(code, function.facts.header.end, place.start)
    )


def is_hardly_reached(place: Span, function: WorkerFunction, linker: Linker) -> bool:
    """Whether it takes a mistake in the program, or a wish for help, to come to a place of a function."""
    paths = function.frame.paths
    around = paths.conditions_around(place.start)
    asked_before = [test for each in around for test, answer in tests_in(*each) if answer]
    if any(map(_asks_for_help, asked_before)) or asks_for_unread_stream(asked_before, paths.tree):
        return True
    steps = paths.steps(place.start)
    if _is_last_case(steps) or _is_behind_plain_store(place, paths):
        return True
    asked = steps[-1].node if steps else None
    if not isinstance(asked, ast.If):
        return False
    return _is_none_of_listed(asked.test, function) or _is_of_defaults(asked.test, function, linker)


def is_far_off(ending: Called | Raised, function: WorkerFunction, code: WorkerCode, linker: Linker) -> bool:
    """Whether a condition in a function that several calls lead to from the task decides whether that ends the process:
    one of which it is not known how it comes out, and not that an error is handled."""
    if not ending.conditional or code.calls_to(function) < _FAR_OFF:
        return False
    if linker.evaluator.conditions.reaches(ending.span, function.frame):
        return False
    return not any(isinstance(each.node, TRIES) for each in function.frame.paths.steps(ending.span.start))


def _asks_for_help(test: ast.expr) -> bool:
    for node in ast.walk(test):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Constant(value=str(name)):
                if _HELP.search(name.replace("_", " ")) is not None:
                    return True
            case _:
                pass
    return False


def _is_last_case(steps: Sequence[BranchStep]) -> bool:
    """Whether a place stands in the `else` of several cases (`if …: elif …: else:`), and in nothing within that."""
    match tuple(steps):
        case (*_, BranchStep(node=ast.If(orelse=[around])), BranchStep(node=ast.If(orelse=other) as last, arm=1)):
            return around is last and not _is_elif(other)
        case _:
            return False


def _is_behind_plain_store(place: Span, paths: Paths) -> bool:
    """Whether a place stands in the handler of a `try` that does nothing but put a value under a key that it has, which
    calls nothing and looks nothing up: `matrix[row, column] = factor`."""
    for node in within(paths.tree):
        match node:
            case ast.Try(body=[ast.Assign(targets=[ast.Subscript() as target], value=value)], handlers=handlers):
                parts = (target.value, target.slice, value)
                is_plain = not any(isinstance(each, _FAILING) for part in parts for each in ast.walk(part))
                steps = (each for handler in handlers for each in map(paths.span, handler.body))
                if is_plain and any(each.start <= place.start < each.end for each in steps):
                    return True
            case _:
                pass
    return False


def _is_none_of_listed(test: ast.expr, function: WorkerFunction) -> bool:
    """Whether a condition asks of what the function is given whether it is none of the constants that are written
    there: `if mode not in (0, 1, 2):`."""
    match test:
        case ast.Compare(
            left=ast.Name(id=name),
            ops=[ast.NotIn()],
            comparators=[ast.Tuple(elts=listed) | ast.List(elts=listed) | ast.Set(elts=listed)],
        ):
            is_given = function.facts.parameter(name) is not None and name not in function.facts.variables
            return is_given and all(isinstance(each, ast.Constant) for each in listed)
        case _:
            return False


def _is_elif(suite: list[ast.stmt]) -> bool:
    return len(suite) == 1 and isinstance(suite[0], ast.If)


def _is_of_defaults(test: ast.expr, function: WorkerFunction, linker: Linker) -> bool:
    """Whether a condition reckons with nothing but parameters which the worker leaves at their defaults."""
    if function.frame.open:
        return False
    asked = {each.id for each in ast.walk(test) if isinstance(each, ast.Name)}
    called = {each.attr for each in ast.walk(test) if isinstance(each, ast.Attribute)} | asked
    given = set(function.frame.bindings)
    own = {each.name for each in function.facts.parameters if each.default is not None and each.name not in given}
    own &= asked
    if not own or not called.isdisjoint(_OF_THE_WORLD) or not own.isdisjoint(function.facts.variables):
        return False
    return all(each in BUILTINS or _is_of_reckoning(each, function, linker) for each in asked - own)


def _is_of_reckoning(name: str, function: WorkerFunction, linker: Linker) -> bool:
    """Whether a name of a function is, or comes from, a library that only reckons, by whatever import."""
    found = linker.evaluator.names.lookup(function.module, name) if name not in function.facts.variables else ()
    return bool(found) and all((each.path or "").partition(".")[0] in _RECKONING for each in found)
