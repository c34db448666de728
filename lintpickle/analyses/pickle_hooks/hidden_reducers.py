"""Exceptions with a parent whose `__reduce__` gives what its constructor takes, which another parent's hides."""

from __future__ import annotations

from msgspec import Struct

from lintpickle.analyses.calls_and_values.hierarchies import call_error, is_me
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts, Store
from lintpickle.facts.values import Attribute, Call, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import ClassValue, ExternalValue, Frame
from lintpickle.interpreter.protocols import Ancestor
from lintpickle.payload.linker import Linker

_OF_JSON = frozenset(
    {"json.JSONDecodeError", "json.decoder.JSONDecodeError"}
    | {f"simplejson.{module}JSONDecodeError" for module in ("", "errors.", "scanner.", "decoder.")}
)
"""Their `args` are the whole message; their `__reduce__` gives the message, the document and the place in it."""
_MISSING = "TypeError: JSONDecodeError.__init__() missing 2 required positional arguments: 'doc' and 'pos'"
_OF_SYSTEM = frozenset(
    f"builtins.{name}"
    for name in (
        *("OSError", "IOError", "EnvironmentError", "BlockingIOError", "ChildProcessError", "ConnectionError"),
        *("BrokenPipeError", "ConnectionAbortedError", "ConnectionRefusedError", "ConnectionResetError"),
        *("FileExistsError", "FileNotFoundError", "InterruptedError", "IsADirectoryError", "NotADirectoryError"),
        *("PermissionError", "ProcessLookupError", "TimeoutError"),
    )
)
"""Their `__reduce__` gives `args`."""


class Unreplayed(Struct, frozen=True):
    """What comes of calling the constructor with the message alone, and where it calls that of the JSON error."""

    error: str
    called_at: Span


def unreplayed(
    class_: ClassValue, line: tuple[Ancestor, ...], init: FunctionFacts, linker: Linker
) -> Unreplayed | None:
    """The failure of rebuilding a JSON error that is an OSError first, from the arguments which its constructor `init`
    leaves: the message alone. None if there is none, or if it may leave other ones."""
    paths = [each.path for each in line if isinstance(each, ExternalValue)]
    hidden = [index for index, path in enumerate(paths) if path in _OF_JSON]
    if not hidden or _OF_SYSTEM.isdisjoint(paths[: hidden[0]]):
        return None
    calls = [event for event in init.events if isinstance(event, Called) and _is_parents_init(event.call)]
    sets_args = any(isinstance(each, Store) and each.attribute == "args" for each in init.events)
    if not calls or sets_args or any(each.conditional for each in calls):
        return None
    first, *others = (each.call for each in calls)
    if not _is_of_json(first, Frame(class_.module, init), linker) or not all(
        _keeps_args(each, init) for each in others
    ):
        return None
    error = call_error(class_.facts.qualname, init, 1)
    if error is None and _hands_all_on(first, init):
        error = _MISSING
    return Unreplayed(error, first.span) if error is not None else None


def _is_parents_init(call: Call) -> bool:
    return isinstance(call.function, Attribute) and call.function.name == "__init__"


def _is_of_json(call: Call, frame: Frame, linker: Linker) -> bool:
    owner = call.function.base if isinstance(call.function, Attribute) else call.function
    return all(
        isinstance(each.value, ExternalValue) and each.value.path in _OF_JSON for each in linker.evaluate(owner, frame)
    )


def _keeps_args(call: Call, init: FunctionFacts) -> bool:
    """Whether a call of another parent's constructor leaves `args` as they are: `Other.__init__(self, *self.args)`."""
    positional = [each for each in call.arguments if each.keyword is None and each.star != "**"]
    match positional:
        case [_]:
            return False
        case [_, given] if given.star == "*":
            value = without_narrowing(given.value)
            return isinstance(value, Attribute) and value.name == "args" and is_me(value.base, init)
        case _:
            return False


def _hands_all_on(call: Call, init: FunctionFacts) -> bool:
    """Whether the constructor gives the parent's what it gets itself, however much that is."""
    rest = [each.name for each in init.parameters if each.kind == "*"]
    last = call.arguments[-1] if len(call.arguments) == 2 else None
    value = without_narrowing(last.value) if last is not None and last.star == "*" else None
    return isinstance(value, Parameter) and value.name in rest and len(init.parameters) <= 3
