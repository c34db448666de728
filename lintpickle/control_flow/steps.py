"""The steps by which control gets from the outside of a function to its places: into the arms of conditions and loops,
and behind those that do not go on."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct

from lintpickle.parsing.names_read import children
from lintpickle.parsing.syntax import FUNCTIONS, dotted

TreePosition: TypeAlias = tuple[int, int]
"""A row (1-based), and a column in it, in bytes."""
Condition: TypeAlias = tuple[ast.expr, bool]
"""A test, and how it answers."""

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_ENDS = (ast.Return, ast.Raise, ast.Continue, ast.Break)
EXITS = frozenset({"sys.exit", "exit", "quit", "os._exit", "os.abort"})
"""What ends the process, as code writes it."""
_FAILING = frozenset({*EXITS, "parser.error", "self.fail", "pytest.fail"})
SCOPES = (*FUNCTIONS, ast.Lambda)
BEHIND = -1


class BranchStep(Struct, frozen=True, eq=False):
    """One step from the outside of a tree inwards: into an arm of a node, or behind a node of which some arms do not
    go on (`arm` is -1, `excluded` are those). It holds up to `end`. `conditions` are what is known there beyond what
    the steps before tell; `loop` is the outermost loop around. `fails` says of a step behind a node that its excluded
    arms fail (`raise`, `sys.exit()`), and do not go another way."""

    before: BranchStep | None
    depth: int
    node: ast.AST
    arm: int
    end: TreePosition
    loop: ast.AST | None = None
    conditions: tuple[Condition, ...] = ()
    excluded: frozenset[int] = frozenset()
    fails: bool = False


def inner_suites(statement: ast.stmt, step: BranchStep) -> Iterator[tuple[Sequence[ast.stmt], BranchStep]]:
    """The suites of a statement, each with the step into it."""

    def into(
        suite: Sequence[ast.stmt], arm: int, *conditions: Condition, loop: ast.AST | None = step.loop
    ) -> BranchStep:
        return BranchStep(step, step.depth + 1, statement, arm, end_of(suite[-1]), loop, conditions)

    match statement:
        case ast.If(test=test, body=body, orelse=other):
            yield body, into(body, 0, (test, True))
            if other:
                yield other, into(other, 1, (test, False))
        case ast.While(test=test, body=body, orelse=other):
            yield body, into(body, 0, (test, True), loop=step.loop or statement)
            if other:
                yield other, into(other, 1)
        case ast.For(body=body, orelse=other) | ast.AsyncFor(body=body, orelse=other):
            yield body, into(body, 0, loop=step.loop or statement)
            if other:
                yield other, into(other, 1)
        case ast.Match(subject=subject, cases=cases):
            for arm, case in enumerate(cases):
                yield case.body, into(case.body, arm, *_case_conditions(subject, case))
        case ast.FunctionDef(body=body) | ast.AsyncFunctionDef(body=body) | ast.ClassDef(body=body):
            yield body, into(body, 0)
        case ast.With(body=body) | ast.AsyncWith(body=body):
            yield body, step
        case _ if isinstance(getattr(statement, "handlers", None), list):  # `try`, and `try` with `except*`
            for name in ("body", "orelse", "finalbody"):
                if suite := getattr(statement, name):
                    yield suite, step
            for arm, handler in enumerate(getattr(statement, "handlers", ())):
                yield handler.body, into(handler.body, arm)
        case _:
            pass


def _case_conditions(subject: ast.expr, case: ast.match_case) -> Iterator[Condition]:
    """What holds in a case, if that is a comparison with a constant."""
    match case.pattern:
        case ast.MatchValue(value=value):
            yield ast.copy_location(ast.Compare(subject, [ast.Eq()], [value]), subject), True
        case ast.MatchSingleton(value=value):
            yield ast.copy_location(ast.Compare(subject, [ast.Is()], [ast.Constant(value)]), subject), True
        case _:
            pass


def behind(statement: ast.stmt, step: BranchStep) -> BranchStep:
    """The step to what stands behind a statement in its suite. Behind an `elif` chain, none of the tests has held whose
    arms do not go on."""
    step = _behind_one(statement, step)
    while isinstance(statement, ast.If) and step.node is statement and 0 in step.excluded:
        match statement.orelse:
            case [ast.If() as statement]:
                step = _behind_one(statement, step)
            case _:
                break
    return step


def _behind_one(statement: ast.stmt, step: BranchStep) -> BranchStep:
    arms: list[tuple[int, list[ast.stmt], Condition | None]]
    match statement:
        case ast.Assert(test=test):
            return BranchStep(step, step.depth + 1, statement, BEHIND, step.end, step.loop, ((test, True),), fails=True)
        case ast.If(test=test, body=body, orelse=other):
            arms = [(0, body, (test, False)), (1, other, (test, True))]
        case ast.Match(cases=cases):
            arms = [(arm, case.body, None) for arm, case in enumerate(cases)]
        case _:
            return step
    ended = [(arm, suite, condition) for arm, suite, condition in arms if leaves_suite(suite)]
    if not ended:
        return step
    return BranchStep(
        step,
        step.depth + 1,
        statement,
        BEHIND,
        step.end,
        step.loop,
        tuple(condition for _, _, condition in ended if condition is not None),
        frozenset(arm for arm, _, _ in ended),
        all(_fails(suite[-1]) for _, suite, _ in ended),
    )


def leaves_suite(suite: Sequence[ast.stmt]) -> bool:
    """Whether control cannot reach the end of a suite."""
    waiting = [suite]
    while waiting:
        current = waiting.pop()
        match current[-1] if current else None:
            case ast.If(body=body, orelse=other):
                waiting += [other, body]
            case ast.With(body=body) | ast.AsyncWith(body=body):
                waiting.append(body)
            case ast.Expr(value=ast.Call(func=function)):
                if dotted(function) not in _FAILING:
                    return False
            case last:
                if not isinstance(last, _ENDS):
                    return False
    return True


def _fails(last: ast.stmt) -> bool:
    return isinstance(last, (ast.Raise, ast.Expr))


def expression_arms(node: ast.AST) -> Iterator[tuple[int, ast.expr, tuple[Condition, ...]]]:
    """The parts of an expression that are only sometimes evaluated: the number of each, and what holds then."""
    match node:
        case ast.IfExp(test=test, body=body, orelse=other):
            yield 0, body, ((test, True),)
            yield 1, other, ((test, False),)
        case ast.BoolOp(op=connective, values=values):
            before: list[Condition] = []
            for arm, value in enumerate(values):
                if before:
                    yield arm, value, tuple(before)
                before.append((value, isinstance(connective, ast.And)))
        case ast.ListComp(elt=part) | ast.SetComp(elt=part) | ast.GeneratorExp(elt=part) | ast.DictComp(value=part):
            yield 0, part, tuple((test, True) for each in node.generators for test in each.ifs)
        case ast.Lambda(body=body):
            yield 0, body, ()
        case _:
            pass


def expressions(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a node that are no statements."""
    for child in children(node):
        if isinstance(child, (ast.comprehension, ast.keyword, ast.withitem, ast.arguments)):
            yield from children(child)
        elif not isinstance(child, ast.stmt):
            yield child


def is_around(node: ast.AST, place: TreePosition) -> bool:
    return hasattr(node, "lineno") and start_of(node) <= place < end_of(node)


def start_of(node: ast.AST) -> TreePosition:
    """Where a node starts, with its decorators."""
    first: ast.AST = min(getattr(node, "decorator_list", ()), key=lambda each: each.lineno, default=node)
    return getattr(first, "lineno", 1), getattr(first, "col_offset", 0)


def end_of(node: ast.AST) -> TreePosition:
    return getattr(node, "end_lineno", None) or 1, getattr(node, "end_col_offset", None) or 0
