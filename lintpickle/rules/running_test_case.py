from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.calls_and_values.run_test_cases import may_be_run
from lintpickle.rules.authoring import Crossing, FunctionValue, Hazard, InstanceValue, Linker, Rule, Shipped

_RESULT = "_outcome"
_LETS_RESULTS_THROUGH = frozenset({"cloudpickle", "joblib", "dill"})
"""Boundaries that send standard output and error by reference (measured with cloudpickle 3.1.2)."""


class RunningTestCase(Rule):
    """A test case that crosses a process boundary while it runs, for example because a worker calls one of its methods.

    While a test runs, `_outcome` holds the test result and with it the output stream. Before and after, a test case can
    be pickled (measured with Python 3.10 to 3.13), and so can an object that only wants the assertions, and no tests.
    """

    code = "LP124"
    name = "running-test-case"
    value_types = (InstanceValue,)
    message = "the test case `{class_}` is pickled while it runs, together with its result: {error}"
    help = "make what the worker calls a module-level function or a static method, and pass it what it needs"
    marks = frozenset()

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        match crossing.value:
            case InstanceValue(class_=class_, call=None) as case if linker.classes.kind(case) == "test-case":
                if crossing.root.kind in _LETS_RESULTS_THROUGH or _RESULT not in Shipped(case, linker.evaluator):
                    return
                if not may_be_run(class_, linker, crossing.root.site.module.path):
                    return
                is_of_method = crossing.inside is not None and isinstance(crossing.inside.value, FunctionValue)
                yield Hazard(
                    site=crossing.site if is_of_method else crossing.root.site,
                    noun=f"the running {class_.facts.name}",
                    error="TypeError: cannot pickle '_io.TextIOWrapper' object",
                    data={"class_": class_.facts.name},
                )
            case _:
                pass
