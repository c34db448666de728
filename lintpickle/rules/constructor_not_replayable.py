from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.calls_and_values.hierarchies import (
    REDUCERS,
    call_error,
    defines,
    external_bases,
    known_ancestors,
)
from lintpickle.analyses.pickle_hooks.other_meanings import other_meaning
from lintpickle.rules._shared.seldom_sent import seldom_sent
from lintpickle.rules.authoring import (
    Ancestor,
    Attribute,
    Call,
    Called,
    Choice,
    ClassValue,
    Crossing,
    FunctionFacts,
    Hazard,
    InstanceValue,
    Linker,
    Rule,
    Site,
    Super,
)

_SENDS_VALUE = frozenset(f"builtins.{name}" for name in ("tuple", "str", "int", "float", "bytes", "complex"))
"""Builtins whose `__getnewargs__` sends only the value."""
_REBUILT_BY_INIT = {
    "collections.OrderedDict": 0,
    "collections.defaultdict": 1,
    "collections.deque": 1,
    "builtins.set": 1,
    "builtins.frozenset": 1,
    "datetime.tzinfo": 0,
}
"""The number of arguments with which pickle calls a subclass."""
_PATHS = frozenset(f"pathlib.{name}" for name in ("PurePath", "PurePosixPath", "PureWindowsPath", "Path", "PosixPath"))
_PARTS_UNTIL = (3, 13)
"""The Python since which a path is no longer rebuilt by calling its class with its parts, but with what made it."""
_PARTS = ("'/'", "'data'", "'name'")
_FOR_A_CLASS = 4
"""The arguments of `type.__new__` (of itself, name, bases, namespace): it makes a class, which pickle finds by name."""
_NOT_MEANT = "it is not meant for what it has made"
_REBUILT_BY_NEW = frozenset({"builtins.dict", "builtins.list"})


class ConstructorNotReplayable(Rule):
    """A class whose `__new__` or `__init__` needs arguments that pickle does not pass when it rebuilds the object."""

    code = "LP606"
    name = "constructor-not-replayable"
    value_types = (InstanceValue,)
    message = "`{class_}` is rebuilt by `{call}`, which does not fit its constructor: {error}"
    help = "define `__getnewargs__` or `__reduce__`, or give the parameters defaults"
    marks = frozenset()
    of_results = True
    words = frozenset(
        {
            "__new__",
            "(OrderedDict",
            "(defaultdict",
            "(deque",
            "(collections.",
            "(set)",
            "(set[",
            "(frozenset",
            "tzinfo)",
            "(Path)",
            "(Path,",
            "(PurePath)",
            "(pathlib.Path)",
            "(type(Path",
        }
    )

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        if isinstance(crossing.value, InstanceValue):
            yield from self._of_class(crossing.value.class_, linker)

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard]:
        body = Site(class_.module, class_.facts.span)
        own = [each for each in self._of_class(class_, linker) if body.contains(each.site)]
        yield from seldom_sent(own, class_, linker)

    def _of_class(self, class_: ClassValue, linker: Linker) -> tuple[Hazard, ...]:
        """The hazards of a class, computed once, because many instances of it may cross."""
        return linker.remembered((self.code, *class_.key), lambda: tuple(_judged(class_, linker)))


def _judged(class_: ClassValue, linker: Linker) -> Iterable[Hazard]:
    line = known_ancestors(class_, linker.classes)
    if line is None or _is_made_by_metaclass(line) or defines(line, *REDUCERS, "__copyreg__", "__getinitargs__"):
        return
    paths = external_bases(line)
    call = _rebuild_call(class_, paths, line, linker)
    if call is None:
        return
    function, owner, given, text = call
    error = call_error(owner.facts.qualname, function, given)
    means_other = error is None and given == 1
    if means_other:
        error = other_meaning(owner, function, paths[0])
    if error is not None and not function.decorated_by("overload"):
        yield Hazard(
            site=Site(owner.module, function.header),
            noun=_NOT_MEANT if means_other else "it asks for more",
            error=error,
            data={"class_": class_.facts.name, "call": text},
        )


def _is_made_by_metaclass(line: tuple[Ancestor, ...]) -> bool:
    """Whether a class of a hierarchy names a metaclass, or gives keywords to what makes it."""
    return any(isinstance(each, ClassValue) and each.facts.keywords for each in line)


def _rebuild_call(
    class_: ClassValue, paths: tuple[str, ...], line: tuple[Ancestor, ...], linker: Linker
) -> tuple[FunctionFacts, ClassValue, int, str] | None:
    """The constructor that pickle calls, its class, the number of arguments and the call as text."""
    name = class_.facts.name
    classes = linker.classes
    new = classes.find_method(class_, "__new__")
    by_new = not paths or set(paths) <= _SENDS_VALUE | _REBUILT_BY_NEW
    if by_new and len(paths) <= 1:
        if new is None or defines(line, "__getnewargs__", "__getnewargs_ex__") or not _makes_own(new[1]):
            return None
        sends = bool(paths) and paths[0] in _SENDS_VALUE
        return new[1], new[0], int(sends), f"{name}.__new__({name}{', value' * sends})"
    init = classes.find_method(class_, "__init__")
    if len(paths) == 1 and paths[0] in _PATHS and any(python < _PARTS_UNTIL for python in linker.pythons):
        made_by = new or init
        if made_by is None or (new is not None and not _makes_own(new[1])):
            return None
        return made_by[1], made_by[0], len(_PARTS), f"{name}({', '.join(_PARTS)})"
    if len(paths) != 1 or paths[0] not in _REBUILT_BY_INIT or new is not None or init is None:
        return None
    given = _given(init[1], paths[0])
    return (init[1], init[0], given, f"{name}({', '.join(['…'] * given)})") if given is not None else None


def _makes_own(new: FunctionFacts) -> bool:
    """Whether `__new__` returns the result of a parent's `__new__`, and not an object of another class, or a class."""
    values = [o for value in new.returns for o in (value.options if isinstance(value, Choice) else (value,))]
    return any(
        isinstance(value, Call)
        and isinstance(value.function, Attribute)
        and value.function.name == "__new__"
        and sum(not each.star for each in value.arguments) < _FOR_A_CLASS
        for value in values
    )


def _given(init: FunctionFacts, path: str) -> int | None:
    """The number of arguments that the base class sends; None if that depends on the constructor."""
    if path not in ("collections.defaultdict", "collections.deque"):
        return _REBUILT_BY_INIT[path]
    for event in init.events:
        match event:
            case Called(call=call, conditional=False) if (
                isinstance(call.function, Attribute)
                and isinstance(call.function.base, Super)
                and call.function.name == "__init__"
            ):
                if call.has_unknown_arguments():
                    return None
                if path == "collections.deque":
                    return 1 + (call.keyword("maxlen") is not None or len(call.positional() or ()) > 1)
                return int(bool(call.positional()))
            case _:
                pass
    return None
