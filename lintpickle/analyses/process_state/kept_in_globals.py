"""Objects that the main process puts into a global before it starts workers: `global READER; READER = Reader(path)`.
Forked workers find them there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.main_state.global_setters import places_set, setters_of, value_set
from lintpickle.analyses.workers.before_start import comes_before_start
from lintpickle.facts.values import Call
from lintpickle.interpreter.abstract_values import AbstractValue, ContainerValue, InstanceValue, ProductValue
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode

_CLOSES = re.compile(r"\.(?:close|__exit__)\(|=\s*None\b")
"""What stands behind the place at which a global is set, if it is given up again before the workers start."""
_DEPTH = 4


def is_in_global(made: Call, code: WorkerCode, linker: Linker) -> bool:
    """Whether the main process puts what a call makes into a global that the code of workers reads, by itself or in an
    object or container, before it starts them. Workers give that global nothing else."""
    running = {id(each.facts) for other in linker.worker_codes() for each in other.functions}
    read = {(name, each.module.path): each.module for each in code.functions for name in each.facts.reads}
    for (name, _), module in sorted(read.items(), key=lambda each: each[0]):
        setters = setters_of(name, module) if module.first_party else ()
        if not setters or any(id(each) in running for each in setters):
            continue
        for root in _activations(name, code, linker):
            value = value_set(name, root.function) if any(root.function is each for each in setters) else None
            if value is None or not any(
                _reaches(traced.value, made, linker, _DEPTH) for traced in linker.evaluate(value, root.frame)
            ):
                continue
            if any(
                comes_before_start(module, root.function, place, code, linker, _CLOSES)
                for place in places_set(name, root.function, module)
            ):
                return True
    return False


def _activations(name: str, code: WorkerCode, linker: Linker) -> Iterator[RootFrame]:
    form = re.compile(rf"(?<![\w.]){re.escape(name)}\b")
    yield from linker.activations_with({name}, form, code.root.site.module.path)


def _reaches(value: AbstractValue, made: Call, linker: Linker, depth: int) -> bool:
    """Whether a value is what a call makes, or an object or container that keeps it."""
    match value:
        case ProductValue(call=call) | InstanceValue(call=call) if call is made:
            return True
        case InstanceValue():
            held = [(each.value, each.frame) for each in linker.classes.states.state(value)]
        case ContainerValue(slots=slots):
            held = [(each.value, each.frame) for each in slots]
        case _:
            return False
    return depth > 0 and any(
        _reaches(traced.value, made, linker, depth - 1)
        for each, frame in held
        for traced in linker.evaluate(each, frame)
    )
