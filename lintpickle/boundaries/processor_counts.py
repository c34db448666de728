"""Whether a number of workers is that of the processors, and so never 0."""

from __future__ import annotations

from lintpickle.facts.values import Call, Constant, Expr, options_of, without_narrowing
from lintpickle.interpreter.abstract_values import ExternalResult, ExternalValue, Frame
from lintpickle.interpreter.evaluator import Evaluator

_PROCESSORS = frozenset({"os.cpu_count", "os.process_cpu_count", "multiprocessing.cpu_count", "psutil.cpu_count"})
_OF_CPUS = frozenset({"os.sched_getaffinity"})
"""What gives the processors themselves, which `len` counts."""


def counts_processors(value: Expr, frame: Frame, evaluator: Evaluator) -> bool:
    """Whether an expression surely gives a positive number, which depends on the processors of the machine:
    `cpu_count()`, `min(8, cpu_count())`, `max(1, cpu_count() - 1)`, `len(os.sched_getaffinity(0))`.

    Source: https://docs.python.org/3/library/os.html#os.cpu_count ("Returns None if undetermined", which happens on no
    system with processes).
    """
    value = without_narrowing(value)
    options = options_of(value)
    if len(options) > 1:
        return all(counts_processors(each, frame, evaluator) for each in options)
    match value:
        case Constant(value=number):
            return isinstance(number, int) and number > 0
        case Call(function=function, arguments=arguments):
            given = [argument.value for argument in arguments if not argument.star and argument.keyword is None]
            paths = {
                each.value.path if isinstance(each.value, ExternalValue) else ""
                for each in evaluator.evaluate(function, frame)
            }
            return bool(paths) and all(_is_positive(path, given, frame, evaluator) for path in paths)
        case _:
            found = evaluator.evaluate(value, frame)
            return bool(found) and all(
                isinstance(each.value, ExternalResult) and each.value.path in _PROCESSORS and not each.doubts
                for each in found
            )


def _is_positive(path: str, given: list[Expr], frame: Frame, evaluator: Evaluator) -> bool:
    if path in _PROCESSORS:
        return True
    match path:
        case "builtins.min":
            return len(given) > 1 and all(counts_processors(each, frame, evaluator) for each in given)
        case "builtins.max":
            return len(given) > 1 and any(counts_processors(each, frame, evaluator) for each in given)
        case "builtins.len":
            return len(given) == 1 and _gives_processors(given[0], frame, evaluator)
        case _:
            return False


def _gives_processors(value: Expr, frame: Frame, evaluator: Evaluator) -> bool:
    match without_narrowing(value):
        case Call(function=function):
            called = [each.value for each in evaluator.evaluate(function, frame)]
            return bool(called) and all(isinstance(each, ExternalValue) and each.path in _OF_CPUS for each in called)
        case _:
            return False
