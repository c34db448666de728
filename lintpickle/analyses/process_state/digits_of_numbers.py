"""Where functions of workers make texts of long whole numbers, or read such: what depends on the limit of their
digits."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.analyses.calls_and_values.long_numbers import LongNumbers
from lintpickle.analyses.calls_and_values.types_given import given_in_main
from lintpickle.analyses.process_state.setting_paths import imported_path
from lintpickle.analyses.process_state.setting_uses import Dependence
from lintpickle.facts.values import Parameter
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import PlainValue, is_indefinite
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.program.module import Module

LONG_NUMBERS = "<long numbers>"
"""What stands in the catalog for them."""


def long_number_converted(code: WorkerCode, linker: Linker) -> Dependence | None:
    """The first place at which a function of workers makes a text of a number that it is seen to let grow, or the other
    way round; otherwise, in doubt, the first at which it does so with what it was given."""
    return linker.remembered(("long numbers converted", code), lambda: _first(code, linker))


def _first(code: WorkerCode, linker: Linker) -> Dependence | None:
    own = [each for each in code.functions if each.module.first_party and each.module.document.cells is None]
    returning = frozenset(each.facts.name for each in own if _numbers(each, frozenset()).is_returned)
    returning |= frozenset(each.facts.name for each in own if _numbers(each, returning).is_returned)
    found = [each for function in own for each in _conversions(function, returning, code, linker)]
    return min(found, key=lambda each: each.is_doubted, default=None)


def _conversions(
    function: WorkerFunction, returning: frozenset[str], code: WorkerCode, linker: Linker
) -> Iterator[Dependence]:
    source = source_tree(function.module.code)
    if source is None:
        return
    for each in _numbers(function, returning).conversions:
        if each.given is None or _may_be_long(each.given, function, code, linker):
            span = source.span(each.node)
            yield Dependence(function, each.written, span, is_doubted=each.given is not None)


def _may_be_long(name: str, function: WorkerFunction, code: WorkerCode, linker: Linker) -> bool:
    """Whether the main process may give a function a long number, or a long text, for a parameter."""
    facts = function.facts
    given = given_in_main(Parameter(facts.header, name, facts.qualname), function, code)
    values = [each.value for each in linker.evaluate(*given)] if given is not None else []
    return not values or any(isinstance(each, PlainValue) or is_indefinite(each) for each in values)


def _numbers(function: WorkerFunction, returning: frozenset[str]) -> LongNumbers:
    source, module = source_tree(function.module.code), function.module
    nodes = tuple(source.nodes_within(function.facts.span)) if source is not None else ()
    return LongNumbers(nodes, lambda written: _path(written, module), returning)


def _path(written: str, module: Module) -> str | None:
    return imported_path(tuple(written.split(".")), module)
