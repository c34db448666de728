"""Places at which a task would end its process, but to which it hardly comes: behind a question to the user, which
fails in a worker; where all the cases that are foreseen do not hold; where somebody asks for help; where the defaults
of a function contradict what it asks.

Measured with CPython 3.11 under fork, spawn and forkserver: `input()` raises EOFError in workers of a pool, whose
standard input is empty."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from lintpickle.builtin_names import BUILTINS
from lintpickle.control_flow.claims import tests_in
from lintpickle.control_flow.steps import BranchStep
from lintpickle.diagnostics import Span
from lintpickle.payload.worker_side import WorkerFunction

_ASKING_USER = re.compile(r"(?<![\w.])input\s*\(")
_HELP = re.compile(r"\b(?:help|usage|version)\b", re.IGNORECASE)
_OF_THE_WORLD = frozenset({"exists", "is_dir", "is_file", "open", "input"})
"""What functions and methods are called whose answer does not depend on what they are given alone."""
_RECKONING = frozenset({"math", "numpy"})


def is_behind_question(place: Span, function: WorkerFunction) -> bool:
    """Whether a function asks the user before it comes to one of its places."""
    code, paths = function.module.code, function.frame.paths
    return any(
        not paths.exclude_each_other(asked.start(), place.start)
        for asked in _ASKING_USER.finditer(code, function.facts.header.end, place.start)
    )


def is_hardly_reached(place: Span, function: WorkerFunction) -> bool:
    """Whether it takes a mistake in the program, or a wish for help, to come to a place of a function."""
    paths = function.frame.paths
    around = paths.conditions_around(place.start)
    if any(_asks_for_help(test) for each in around for test, answer in tests_in(*each) if answer):
        return True
    steps = paths.steps(place.start)
    if _is_last_case(steps):
        return True
    asked = steps[-1].node if steps else None
    return isinstance(asked, ast.If) and _is_of_defaults(asked.test, function)


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


def _is_elif(suite: list[ast.stmt]) -> bool:
    return len(suite) == 1 and isinstance(suite[0], ast.If)


def _is_of_defaults(test: ast.expr, function: WorkerFunction) -> bool:
    """Whether a condition reckons with nothing but parameters which the worker leaves at their defaults."""
    if function.frame.open:
        return False
    asked = {each.id for each in ast.walk(test) if isinstance(each, ast.Name)}
    called = {each.attr for each in ast.walk(test) if isinstance(each, ast.Attribute)} | asked
    given, imports = set(function.frame.bindings), function.module.outline.imports
    own = {each.name for each in function.facts.parameters if each.default is not None and each.name not in given}
    used = {each for each in asked - own if each not in imports or imports[each].module not in _RECKONING}
    is_reassigned = not (own & asked).isdisjoint(function.facts.variables)
    return bool(own & asked) and used <= BUILTINS and called.isdisjoint(_OF_THE_WORLD) and not is_reassigned
