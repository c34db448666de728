"""NumPy arrays that are views of memory or of files that processes share: pickling one copies what it shows."""

from __future__ import annotations

from enum import Enum

from lintpickle.analyses.calls_and_values.returned_values import returned_expression
from lintpickle.analyses.calls_and_values.values import external_names
from lintpickle.facts.values import Attribute, Call, Expr, Sum, options_of, without_narrowing
from lintpickle.interpreter.abstract_values import ConstantValue, ExternalResult, Frame, FunctionValue, ProductValue
from lintpickle.payload.linker import Linker

_BUFFERS = {
    "numpy.ndarray": ("buffer", 2),
    "numpy.frombuffer": ("buffer", 0),
    "numpy.ctypeslib.as_array": ("obj", 0),
}
"""What makes such an array, and by which parameter it is given the memory."""
_MAPPED = {"numpy.memmap": ("mode", 2), "numpy.lib.format.open_memmap": ("mode", 1), "numpy.load": ("mmap_mode", 1)}
"""What maps a file, and by which parameter it is told whether what is written gets there."""
_MAPPED_TO_WRITE = frozenset({"numpy.memmap", "numpy.lib.format.open_memmap"})
"""Those that map a file so if they are not told."""
_WRITTEN = frozenset({"r+", "w+", "readwrite", "write"})
_SHOWING = frozenset({"reshape", "view", "transpose", "swapaxes", "squeeze"})
"""The methods of an array that give one which shows the same memory: pickled, that is a copy, too (numpy 2.4.6)."""
_MEMORY = "SharedMemory"
_ARRAYS = ("Array", "RawArray")


class View(Enum):
    """What an array shows."""

    MEMORY = "shared memory"
    FILE = "a file"


def shared_view(value: Expr, frame: Frame, linker: Linker) -> View | None:
    """What an expression shows that is nothing but an array that shows shared memory, or a file that it writes to,
    whatever has been put into it since."""
    found = {_view(option, frame, linker) for option in options_of(without_narrowing(value))}
    return found.pop() if len(found) == 1 else None


def _view(value: Expr, frame: Frame, linker: Linker) -> View | None:
    match without_narrowing(value):
        case Sum(parts=(made, *_)):
            return shared_view(made, frame, linker)
        case Call() as made if given := _given_by(made, frame, linker):
            return shared_view(*given, linker)
        case Call() as made:
            names = list(external_names(made.function, frame, linker))
            if any(name in _MAPPED and _writes_to_file(name, made, frame, linker) for name in names):
                return View.FILE
            known = [_BUFFERS[name] for name in names if name in _BUFFERS]
            is_shared = any(_is_shared(made.argument(*each), frame, linker) for each in known)
            if not is_shared and isinstance(made.function, Attribute) and made.function.name in _SHOWING:
                return shared_view(made.function.base, frame, linker)
            return View.MEMORY if is_shared else None
        case Attribute(base=base, name="T"):
            return shared_view(base, frame, linker)
        case _:
            return None


def _given_by(call: Call, frame: Frame, linker: Linker) -> tuple[Expr, Frame] | None:
    """What a function of the program returns at its only `return`, or what its only `yield` gives to a `with`."""
    found = returned_expression(call, frame, linker.evaluator)
    called = [traced.value for traced in linker.evaluate(call.function, frame)] if found is None else []
    match called:
        case [FunctionValue(facts=facts) as function] if len(facts.yields) == 1 and facts.decorated_by(
            "contextmanager"
        ):
            inner = linker.evaluator.enter(function, call, frame)
            return (facts.yields[0], inner) if inner is not None else None
        case _:
            return found


def _writes_to_file(name: str, made: Call, frame: Frame, linker: Linker) -> bool:
    mode = made.argument(*_MAPPED[name])
    if mode is None:
        return name in _MAPPED_TO_WRITE
    found = [traced.value for traced in linker.evaluate(mode, frame)]
    return all(isinstance(each, ConstantValue) and each.value in _WRITTEN for each in found)


def _is_shared(buffer: Expr | None, frame: Frame, linker: Linker) -> bool:
    """Whether it is the memory of a `SharedMemory`, or of an array of `multiprocessing`."""
    match without_narrowing(buffer) if buffer is not None else None:
        case Attribute(base=base, name="buf"):
            return _is_made_by((_MEMORY,), base, frame, linker)
        case Call(function=Attribute(base=base, name="get_obj")):
            return _is_made_by(_ARRAYS, base, frame, linker)
        case Expr() as array:
            return _is_made_by(_ARRAYS, array, frame, linker)
        case _:
            return False


def _is_made_by(names: tuple[str, ...], value: Expr, frame: Frame, linker: Linker) -> bool:
    found = [traced.value for traced in linker.evaluate(value, frame)]
    return bool(found) and all(
        isinstance(each, (ExternalResult, ProductValue))
        and each.path.startswith(("multiprocessing.", "torch.multiprocessing."))
        and each.path.rpartition(".")[2] in names
        for each in found
    )
