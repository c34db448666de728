"""Processes that are forked because code asks for it, by ways that are not the argument of a call."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence

from lintpickle.control_flow.claims import tests_in
from lintpickle.control_flow.paths import Paths
from lintpickle.control_flow.steps import Condition, TreePosition, end_of, start_of
from lintpickle.facts.values import Attribute, Choice, Constant, Expr, Name, without_narrowing
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    ExternalResult,
    ExternalValue,
    Frame,
    ModuleValue,
    Site,
)
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.hurdles import is_option_given
from lintpickle.parsing.syntax import last_name
from lintpickle.program.module import Module

_MACS = frozenset({"darwin", "macos", "macosx", "mac"})
"""What code calls the one platform whose programs ask for fork to have what Linux had by default."""
_IS_MAC = re.compile(r"(?:is_?)?(?:on_?)?(?:mac|mac_?osx?|osx|darwin)$", re.IGNORECASE)
_DELAYED = "joblib.delayed"
_PLATFORM = re.compile(
    r"\b(?:sys\.platform|os\.name|platform\.system\(\)|get_all_start_methods\(\))|\bhasattr\(os, *['\"]fork['\"]\)"
    r"|(?i:\b_*(?:is_?|on_?)*(?:windows|win(?:32)?|linux|unix|posix|mac_?osx?|darwin)(?:_?(?:system|platform|os))?\b)"
)
"""What stands in a test of the platform: ways to ask for it, and what code calls its own constants and functions."""
_VERSION = re.compile(r"(?:sys\.)?version_info\b")
_WORD = r"[\"']multiprocessing[\"']"
_OF_PROCESSES = re.compile(
    rf"\b(?:\w*_)?backend[\"']?\s*(?:=|:[^=\n]*=|:)\s*{_WORD}|\bparallel_(?:backend|config)\(\s*{_WORD}"
    rf"|\(\s*[\"']--?(?:\w+[-_])*backend[\"'][^()]*\bdefault\s*=\s*{_WORD}",
    re.IGNORECASE,
)
"""What stands in a module that asks joblib for processes of multiprocessing: by the argument, the name or the option
that is given to it, or around its calls."""


def is_task_of_processes(path: str, module: Module) -> bool:
    """Whether a call makes a task of joblib, in a module that asks for processes of multiprocessing: these may be
    forked, as a rule joblib's are not."""
    return path == _DELAYED and asks_for_processes(module)


def asks_for_processes(module: Module) -> bool:
    """Whether a module asks joblib for processes of multiprocessing."""
    return module.has(_OF_PROCESSES)


def contexts_of_bases(class_: ClassValue, evaluator: Evaluator) -> Iterator[AbstractValue]:
    """The contexts of multiprocessing whose processes a class derives from: `class Worker(context.Process)`; the module
    too, if the name may stand for that (`if …: multiprocessing = multiprocessing.get_context("spawn")`)."""
    for base, frame in _bases(class_, evaluator):
        written = _written_for(base, frame.module)
        if isinstance(written, Attribute):
            for traced in evaluator.evaluate(written.base, frame):
                match traced.value:
                    case ExternalResult(path="mp-context") | ModuleValue():
                        yield traced.value
                    case _:
                        pass


def sites_of_base(class_: ClassValue, path: str, evaluator: Evaluator) -> Iterator[Site]:
    """Where a class, or one that it derives from, names the library's class of that path as its base."""
    for base, frame in _bases(class_, evaluator):
        found = (traced.value for traced in evaluator.evaluate(base, frame))
        if any(isinstance(each, ExternalValue) and each.path == path for each in found):
            yield Site(frame.module, base.span)


def _bases(class_: ClassValue, evaluator: Evaluator) -> Iterator[tuple[Expr, Frame]]:
    """What a class and its bases write as their bases, each with the frame in which it is read."""
    for each in evaluator.classes.mro(class_):
        if isinstance(each, ClassValue):
            frame = evaluator.classes.body_frame(each)
            yield from ((base, frame) for base in each.facts.bases)


def _written_for(base: Expr, module: Module) -> Expr:
    """A base, or what its module gives that name once: `Process = context.Process`."""
    given = module.value_bound(base.name) if isinstance(base, Name) else None
    return given if given is not None else base


def asks_for_fork(module: Module, form: re.Pattern[str]) -> bool:
    """Whether text of a form, which asks for fork, stands in a module, and not only under an option of the command line
    or for macOS: elsewhere, and without the option, workers start as they do by default."""
    return bool(places_asking_for_fork(module, form))


def places_asking_for_fork(module: Module, form: re.Pattern[str]) -> tuple[int, ...]:
    """Where text of a form, which asks for fork so, begins in a module."""

    def places() -> tuple[int, ...]:
        found = (each.start() for each in form.finditer(module.code))
        return tuple(place for place in found if not _is_in_case(_conditions_at(place, module)))

    return module.remembered(f"asks for fork by {form.pattern}", places) if module.has(form) else ()


def _conditions_at(place: int, module: Module) -> tuple[Condition, ...]:
    block = module.outline.block_at(place)
    return Paths(module, block.span).conditions_around(place) if block is not None else ()


def _is_in_case(conditions: Iterable[Condition]) -> bool:
    return any(is_for_mac(*part) or is_option_given(*part) for each in conditions for part in tests_in(*each))


def is_for_mac(test: ast.expr, holds: bool) -> bool:
    """Whether a test that comes out so says that the platform is macOS."""
    is_denied = isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.NotEq | ast.NotIn)
    named = {each.value for each in ast.walk(test) if isinstance(each, ast.Constant) and isinstance(each.value, str)}
    if named:
        return holds is not is_denied and {each.lower() for each in named} <= _MACS
    asked = test.func if isinstance(test, ast.Call) else test
    return holds and _IS_MAC.match(last_name(asked)) is not None


def is_fork_where_there_is(contexts: Sequence[AbstractValue]) -> bool:
    """Whether one of the contexts that code may take is one that forks, asked for in a `try` or in a branch for
    platforms, or for where the default is forkserver: then it takes another one only where there is no fork, or where
    that is the default."""
    return any(_asks_in_case(each) for each in contexts)


def _asks_in_case(context: AbstractValue) -> bool:
    match context:
        case ExternalResult(path="mp-context", call=call, frame=frame) if call.arguments:
            return any(_is_in_branch(each, frame) for each in _places_naming_fork(call.arguments[0].value, frame))
        case _:
            return False


def _places_naming_fork(name: Expr, frame: Frame) -> Iterator[int]:
    """Where the name of fork stands among what the argument of `get_context` can be."""
    bound = frame.module.value_bound(name.name) if isinstance(name, Name) else None
    match without_narrowing(bound or name):
        case Constant(value="fork", span=span):
            yield span.start
        case Choice(options=options):
            yield from (each.span.start for each in options if isinstance(each, Constant) and each.value == "fork")
        case _:
            pass


def _is_in_branch(place: int, frame: Frame) -> bool:
    """Whether a place of the module of a frame is in a `try`, or in a branch of a test of the platform or the start
    method."""
    span, block = frame.function.span, frame.module.outline.block_at(place)
    is_inside = span.start <= place < span.end
    paths = frame.paths if is_inside or block is None else Paths(frame.module, block.span)
    position = paths.position(place)
    return any(_holds_in_case(each, position) for each in ast.walk(paths.tree))


def _holds_in_case(node: ast.AST, place: TreePosition) -> bool:
    suites: list[list[ast.stmt] | list[ast.expr]]
    match node:
        case ast.Try(body=body):
            suites = [body]
        case ast.If(test=test) | ast.IfExp(test=test):
            is_of_platform = _PLATFORM.search(ast.unparse(test)) is not None
            arms = ((_parts(node.body), True), (_parts(node.orelse), False))
            chosen = ((suite, holds) for suite, holds in arms if is_of_platform or _is_for_forkserver(test, holds))
            suites = [suite for suite, holds in chosen if not _is_in_case([(test, holds)])]
        case _:
            return False
    return any(start_of(suite[0]) <= place < end_of(suite[-1]) for suite in suites if suite)


def _is_for_forkserver(test: ast.expr, holds: bool) -> bool:
    """Whether a test that comes out so says that forkserver is the start method, that fork is not, or that it is a
    Python from some version on: since 3.14, forkserver is what there is by default."""
    return any(_says_forkserver(part, answer) for part, answer in tests_in(test, holds))


def _says_forkserver(test: ast.expr, holds: bool) -> bool:
    match test:
        case ast.Compare(left=left, ops=[ast.Gt() | ast.GtE() | ast.Lt() | ast.LtE() as order], comparators=[_]):
            return _VERSION.match(ast.unparse(left)) is not None and isinstance(order, ast.Gt | ast.GtE) is holds
        case ast.Compare(ops=[ast.Eq() | ast.In() | ast.NotEq() | ast.NotIn() as asked], comparators=[named]):
            names = {each.value for each in ast.walk(named) if isinstance(each, ast.Constant)}
            is_it = isinstance(asked, ast.Eq | ast.In) is holds
            return (is_it and "forkserver" in names) or (not is_it and names == {"fork"})
        case _:
            return False


def _parts(arm: list[ast.stmt] | ast.expr) -> list[ast.stmt] | list[ast.expr]:
    return [arm] if isinstance(arm, ast.expr) else arm
