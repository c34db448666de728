from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.calls_and_values.chosen_by_flags import called_by_boundary
from lintpickle.catalog import INITIALIZER
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    BoundaryCall,
    FunctionValue,
    Hazard,
    Linker,
    Rule,
    Site,
    WorkerCode,
    WorkerFunction,
)

_RESULTS = {
    "pool": "multiprocessing.pool.MaybeEncodingError: … TypeError(\"cannot pickle '{what}' object\")",
    "executor": "TypeError: cannot pickle '{what}' object",
    "joblib": "TypeError: cannot pickle '{what}' object",
    "dataloader": "TypeError: cannot pickle '{what}' object",
}
"""What comes of a result that is a coroutine."""
_RUNNING = frozenset({*_RESULTS, "process", "spawn"})
_WITHOUT_RESULT = frozenset({"target", INITIALIZER, "worker_init_fn"})
"""The parameters of functions whose results nobody takes."""
_IGNORED = {
    "coroutine": "nothing of it runs (RuntimeWarning: coroutine '{name}' was never awaited)",
    "async_generator": "nothing of it runs",
}


class AsyncWorkerFunction(Rule):
    """An `async def` that worker processes call: they get a coroutine, and nobody awaits it."""

    code = "LP217"
    name = "async-worker-function"
    start_methods = ALL_START_METHODS
    message = "`{function}` is an `async def`, and {by} calls it in a worker like any function: {error}"
    help = "pass a plain function that calls `asyncio.run({function}(…))`"

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        boundary = code.boundary
        if boundary is None or boundary.spec.kind not in _RUNNING or boundary.spec.awaited:
            return
        for function in code.functions:
            if function.is_begun_with and function.facts.is_async:
                role = _role(function, boundary, linker)
                if role is not None:
                    yield _hazard(function, role, boundary)


def _role(function: WorkerFunction, boundary: BoundaryCall, linker: Linker) -> str | None:
    """The parameter as which a boundary gets a function, or a method, as it was defined, or a partial of it."""
    for role in boundary.spec.functions:
        for given in called_by_boundary(role, boundary, linker):
            if isinstance(given, FunctionValue) and given.facts is function.facts and not given.opaque:
                return role
    return None


def _hazard(function: WorkerFunction, role: str, boundary: BoundaryCall) -> Hazard:
    name, kind = function.facts.name, boundary.spec.kind
    what = "async_generator" if function.facts.is_generator else "coroutine"
    is_ignored = role in _WITHOUT_RESULT or kind not in _RESULTS
    error = _IGNORED[what].format(name=function.facts.qualname) if is_ignored else _RESULTS[kind].format(what=what)
    return Hazard(
        site=Site(function.module, function.facts.header),
        noun="it makes a coroutine" if what == "coroutine" else "it makes an asynchronous generator",
        error=error,
        data={"function": name, "by": f"`{boundary.spec.name}`"},
        help=AsyncWorkerFunction.help.format(function=name),
        hops=function.hops,
    )
