"""NumPy arrays that are views of memory or of files that processes share: pickling one copies what it shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum

from lintpickle.analyses.calls_and_values.kept_in_attributes import kept_under
from lintpickle.analyses.calls_and_values.returned_values import returned_expression
from lintpickle.analyses.calls_and_values.values import external_names, resolves_to
from lintpickle.facts.values import (
    Argument,
    Attribute,
    Call,
    Constant,
    Expr,
    Item,
    Name,
    Parameter,
    Sum,
    options_of,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import (
    ConstantValue,
    ExternalResult,
    Frame,
    FunctionValue,
    InstanceValue,
    ProductValue,
)
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
SHOWING = frozenset({"reshape", "view", "transpose", "swapaxes", "squeeze"})
"""The methods of an array that give one which shows the same memory: pickled, that is a copy, too (numpy 2.4.6)."""
SPLITTING = frozenset(f"numpy.{name}" for name in ("array_split", "split", "hsplit", "vsplit", "dsplit"))
"""The functions that give a list of parts of an array which show what it shows (numpy 2.4.6)."""
_PARTS = SPLITTING | {"numpy.reshape"}
"""The same, and what gives another form of it."""
_STEPS = 12
_MEMORY = "SharedMemory"
_ARRAYS = ("Array", "RawArray")


class View(Enum):
    """What an array shows."""

    MEMORY = "shared memory"
    FILE = "a file"


def shared_view(value: Expr, frame: Frame, linker: Linker, steps: int = _STEPS) -> View | None:
    """What an expression shows that is nothing but an array that shows shared memory, or a file that it writes to,
    whatever has been put into it since: also a part of one, or what an object keeps. Followed for so many steps."""
    options = options_of(without_narrowing(value)) if steps else ()
    return _agreed(_view(option, frame, linker, steps - 1) for option in options)


def _agreed(views: Iterable[View | None]) -> View | None:
    """What all show, if that is the same. The first that shows nothing ends the search."""
    agreed = None
    for view in views:
        if view is None or agreed not in (None, view):
            return None
        agreed = view
    return agreed


def _view(value: Expr, frame: Frame, linker: Linker, steps: int) -> View | None:
    match without_narrowing(value):
        case Sum(parts=(made, *_)):
            return shared_view(made, frame, linker, steps)
        case Parameter() | Attribute() | Item() as inner if not (isinstance(inner, Attribute) and inner.name == "T"):
            return _agreed(shared_view(*each, linker, steps) for each in _sources(inner, frame, linker))
        case Call() as made if given := _given_by(made, frame, linker):
            return shared_view(*given, linker, steps)
        case Call() as made:
            names = list(external_names(made.function, frame, linker))
            if any(name in _MAPPED and _writes_to_file(name, made, frame, linker) for name in names):
                return View.FILE
            known = [_BUFFERS[name] for name in names if name in _BUFFERS]
            is_shared = any(_is_shared(made.argument(*each), frame, linker) for each in known)
            if not is_shared and isinstance(made.function, Attribute) and made.function.name in SHOWING:
                return shared_view(made.function.base, frame, linker, steps)
            if not is_shared and resolves_to(made.function, frame, linker, _PARTS) and (array := made.positional()):
                return shared_view(array[0], frame, linker, steps)
            return View.MEMORY if is_shared else None
        case Attribute(base=base, name="T"):
            return shared_view(base, frame, linker, steps)
        case _:
            return None


def _sources(value: Parameter | Attribute | Item, frame: Frame, linker: Linker) -> Iterator[tuple[Expr, Frame]]:
    """What gives a parameter, an attribute or an item what it is: of an array, the array."""
    match value:
        case Parameter(name=name, owner=owner):
            home = frame.enclosing(owner)
            bound = home.bindings.get(name) if home is not None else None
            if bound is not None and bound.expr is not None and bound.frame is not None:
                yield bound.expr, bound.frame
        case Attribute():
            yield from _kept(value, frame, linker)
        case Item():
            whole = looped_over(value)
            held = [
                each for traced in linker.evaluate(whole, frame) for each in linker.evaluator.elements(traced.value)
            ]
            yield from ((each.value, each.frame) for each in held)
            if not held:
                yield whole, frame


def _kept(attribute: Attribute, frame: Frame, linker: Linker) -> Iterator[tuple[Expr, Frame]]:
    """What an attribute of an object holds, or what a property returns at its only `return`."""
    kept = kept_under(attribute, frame, linker)
    if kept is not None:
        yield kept[1].value, kept[1].frame
        return
    for owner in (traced.value for traced in linker.evaluate(attribute.base, frame)):
        found = linker.classes.find_property(owner, attribute.name) if isinstance(owner, InstanceValue) else None
        if found is not None and isinstance(owner, InstanceValue):
            home = linker.classes.frame_on(*found, owner)
            yield from ((each, home) for each in found[1].returns)


def looped_over(item: Item) -> Expr:
    """What an expression is an item of; where a loop goes through `enumerate(…)` or `zip(…)`, an item of what these are
    given."""
    row = without_narrowing(item.base)
    loop = without_narrowing(row.base) if isinstance(row, Item) and row.key is None else None
    match loop, item.key:
        case Call(function=Name(name="enumerate"), arguments=(Argument(value=whole), *_)), Constant(value=1):
            return whole
        case Call(function=Name(name="zip"), arguments=arguments), Constant(value=int() as place) if place >= 0:
            return arguments[place].value if place < len(arguments) else item.base
        case _:
            return item.base


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


def shows_memory(value: Expr, frame: Frame, linker: Linker) -> bool:
    """Whether an expression is shared memory itself: a `SharedMemory`, or an array of `multiprocessing`."""
    return _is_made_by((_MEMORY, *_ARRAYS), value, frame, linker)


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
