"""Which random generators the code in workers draws from."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Parameter
from lintpickle.interpreter.abstract_values import ContainerValue, ExternalValue, is_indefinite
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_reader import called_parts
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words

_PLAIN = "random."
_OTHERS = ("numpy.random.", "torch.rand", "torch.normal", "torch.multinomial", "torch.bernoulli")
_DRAWS = re.compile(r"(?<![\w.])random\s*\.\s*(?!seed\b)\w+")
_LIBRARIES = Words({"albumentations", "audiomentations", "volumentations", "RandomChoice", "RandomOrder"})
"""What draws from the module `random` by itself, and the transforms of torchvision's that do."""


def leave_alone(generator: str, code: WorkerCode, linker: Linker) -> bool:
    """Whether workers draw random numbers, but none from the generator that a call of a function of this path seeds:
    only of the module `random` can that be told, many libraries draw from NumPy's and torch's."""
    if generator != "random.seed" or code.boundary is None:
        return False
    crossings = linker.shipped_by(code.boundary)
    if any(_is_unknown_part(each) for each in crossings):
        return False
    functions = (*code.functions, *called_parts(crossings, linker))
    modules = [code.boundary.frame.module, *(hop.site.module for hop in code.boundary.hops)]
    modules += [function.module for function in functions]
    if any(_LIBRARIES.are_in(module.lexicon) for module in modules):
        return False
    drawn: list[str] = []
    for function in functions:
        for path in _called(function, linker):
            if path is None:
                return False
            drawn.append(path)
        span = function.facts.span
        if _DRAWS.search(function.module.code, span.start, span.end) is not None:
            return False
    return any(path.startswith(_OTHERS) for path in drawn) and not any(path.startswith(_PLAIN) for path in drawn)


def _is_unknown_part(crossing: Crossing) -> bool:
    """Whether a container holds what is not known: a transform among others."""
    around = crossing.inside.value if crossing.inside is not None else None
    return is_indefinite(crossing.value) and isinstance(around, ContainerValue)


def _called(function: WorkerFunction, linker: Linker) -> Iterator[str | None]:
    """The dotted names of the library functions that a function calls, but for seeds; None for what an object keeps
    that is not known."""
    parameters = function.facts.parameters
    me = parameters[0].name if parameters else None
    for event in function.facts.events:
        if not isinstance(event, Called):
            continue
        callee = event.call.function
        is_kept = isinstance(callee, Attribute) and isinstance(callee.base, Parameter) and callee.base.name == me
        for traced in linker.evaluate(callee, function.frame):
            if isinstance(traced.value, ExternalValue):
                if not traced.value.path.endswith(".seed"):
                    yield traced.value.path
            elif is_kept and is_indefinite(traced.value):
                yield None
