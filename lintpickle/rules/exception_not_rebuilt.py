from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.analyses.calls_and_values.hierarchies import (
    REDUCERS,
    call_error,
    defines,
    external_bases,
    known_ancestors,
)
from lintpickle.analyses.pickle_hooks.exception_arguments import GivenArguments, given_arguments, group_arguments
from lintpickle.analyses.pickle_hooks.hidden_reducers import unreplayed
from lintpickle.analyses.results.uncaught import leaves_worker
from lintpickle.diagnostics import Applicability, Confidence, Fix, Severity, Span
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    PICKLED_ON_START,
    WORKER_KINDS,
    Ancestor,
    ClassValue,
    Crossing,
    Frame,
    FunctionFacts,
    Hazard,
    InstanceValue,
    Linker,
    Raised,
    Rule,
    Site,
    WorkerCode,
    add_reduce,
)

_GROUPS = frozenset({"BaseExceptionGroup", "ExceptionGroup"})
"""Builtins, and classes of the backport `exceptiongroup`."""
_OWN_ARGUMENTS = ("Group", "UnicodeDecodeError", "UnicodeEncodeError", "UnicodeTranslateError")


class _Constructor(Struct, frozen=True):
    """A constructor whose arguments are lost, in the code of its file."""

    code: str
    span: Span


_OUTCOMES = {
    "pool": " (the pool waits for ever for this result)",
    "executor": " (the executor breaks: BrokenProcessPool)",
}
"""What becomes of it (CPython 3.11, under fork and spawn), by the kinds of boundaries that pickle what their workers
raise. A Process prints it; a DataLoader (`ExceptionWrapper`) and `mp.spawn` (`_wrap`) send the traceback as text."""


class ExceptionNotRebuilt(Rule[_Constructor]):
    """An exception that cannot be rebuilt from the arguments that its `__init__` passes to `super().__init__`."""

    code = "LP602"
    name = "exception-not-rebuilt"
    severity = Severity.WARNING
    start_methods = ALL_START_METHODS
    applicability = Applicability.UNSAFE
    message = "`{class_}` cannot be sent {way} a worker: it is rebuilt as {rebuilt}: {error}{outcome}"
    help = "pass all arguments of `__init__`, in order, to `super().__init__`, or add `__reduce__`"
    value_types = (InstanceValue,)
    marks = frozenset()
    words = frozenset({"Error):", "Exception):", "Warning):", "Group):", "Group["})  # of a class statement

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard[_Constructor]]:
        value, spec = crossing.value, crossing.root.spec
        if isinstance(value, InstanceValue) and spec is not None and spec.kind in WORKER_KINDS:
            for found in self._judged(_with_constructor(value.class_, linker), linker):
                if found.confidence is not Confidence.POSSIBLE:
                    yield replace(found, data={**found.data, "way": "to"}, start_methods=PICKLED_ON_START)

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard[_Constructor]]:
        for function in code.functions if code.root.kind in _OUTCOMES else ():
            for event in function.facts.events:
                if isinstance(event, Raised):
                    for class_ in _raised(event, function.frame, linker):
                        for found in self._judged(_with_constructor(class_, linker), linker):
                            leaves = leaves_worker(event, function, linker.classes.mro(class_), code, linker)
                            if leaves is not False:
                                confidence = found.confidence if leaves else Confidence.POSSIBLE
                                is_silent = found.confidence is Confidence.POSSIBLE
                                data = {**found.data, "outcome": "" if is_silent else _OUTCOMES[code.root.kind]}
                                yield replace(found, hops=function.hops, confidence=confidence, data=data)

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard[_Constructor]]:
        found = self._judged(class_, linker)
        if linker.users.may_ship(class_):
            yield from found
        else:
            yield from (replace(each, confidence=Confidence.POSSIBLE) for each in found)

    def _judged(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard[_Constructor]]:
        init = class_.facts.methods.get("__init__")
        if init is None or class_.facts.decorators or init.decorators:
            return
        line = known_ancestors(class_, linker.classes)
        if line is None or defines(line, *REDUCERS, "args"):
            return
        new = class_.facts.methods.get("__new__")
        ways: tuple[GivenArguments | None, ...]
        if _is_group(line):
            ways = (group_arguments(init) if new is None or not new.decorators else None,)
        elif _is_plain_exception(line) and not defines(line, "__new__"):
            ways = given_arguments(line, init)
        else:
            ways = (None,)
        if ways == (None,):
            hidden = unreplayed(class_, line, init, linker) if new is None else None
            if hidden is not None:
                yield _hazard(class_, init, hidden.called_at, hidden.error)
            return
        name = class_.facts.qualname
        errors = [(_call_error(name, new, init, each), each) for each in ways if each is not None]
        failing = next(((error, given) for error, given in errors if error is not None), None)
        in_text = next((each for each in ways if each is not None and each.in_text is not None), None)
        if failing is not None:
            is_always = len(errors) == len(ways) and all(error is not None for error, _ in errors)
            yield _hazard(class_, init, failing[1].passed_at, failing[0], None if is_always else Confidence.LIKELY)
        elif in_text is not None:
            error = f"silently, `{in_text.in_text}` is put into the message again"
            yield _hazard(class_, init, in_text.passed_at, error, Confidence.POSSIBLE)

    def fix(self, hazard: Hazard[_Constructor]) -> Fix | None:
        """Add `__reduce__`, if the object stores each argument unchanged."""
        constructor = hazard.subject
        edit = add_reduce(constructor.code, constructor.span)
        return Fix("Add `__reduce__`", Applicability.UNSAFE, (edit,)) if edit is not None else None


def _call_error(name: str, new: FunctionFacts | None, init: FunctionFacts, given: GivenArguments) -> str | None:
    """The error of calling the class of that name with as many arguments."""
    error = call_error(name, new, given.count) if new is not None else None
    return error or call_error(name, init, given.count)


def _hazard(
    class_: ClassValue, init: FunctionFacts, passed_at: Span, error: str, confidence: Confidence | None = None
) -> Hazard[_Constructor]:
    return Hazard(
        site=Site(class_.module, passed_at),
        noun="its arguments do not come back",
        error=error,
        data={
            "class_": class_.facts.name,
            "rebuilt": f"`{class_.facts.name}(*self.args)`",
            "way": "from",
            "outcome": "",
        },
        subject=_Constructor(class_.module.code, init.span),
        confidence=confidence,
    )


def _raised(event: Raised, frame: Frame, linker: Linker) -> Iterator[ClassValue]:
    """The classes of the exceptions that a statement may raise."""
    for traced in linker.evaluate(event.value, frame):
        match traced.value:
            case InstanceValue(class_=class_) | (ClassValue() as class_):
                yield class_
            case _:
                pass


def _with_constructor(class_: ClassValue, linker: Linker) -> ClassValue:
    """The class from which an exception gets its constructor, unless one before it says how to rebuild it; else the
    class itself."""
    for ancestor in known_ancestors(class_, linker.classes) or ():
        if not isinstance(ancestor, ClassValue) or defines((ancestor,), *REDUCERS, "__new__", "args"):
            break
        if "__init__" in ancestor.facts.methods:
            return ancestor
    return class_


def _is_group(line: tuple[Ancestor, ...]) -> bool:
    """Whether all external bases are exception groups, or one of the classes is read in the installed backport."""
    if any(isinstance(each, ClassValue) and each.module.name.startswith("exceptiongroup.") for each in line):
        return True
    paths = [path.rpartition(".") for path in external_bases(line)]
    return bool(paths) and all(of in ("builtins", "exceptiongroup") and name in _GROUPS for of, _, name in paths)


def _is_plain_exception(line: tuple[Ancestor, ...]) -> bool:
    """Whether all external bases are builtin exceptions that keep only the arguments of their `__init__`."""
    paths = external_bases(line)
    return bool(paths) and all(
        path.startswith("builtins.")
        and path.endswith(("Error", "Exception", "Warning", "Exit", "Interrupt", "Iteration"))
        and not path.endswith(_OWN_ARGUMENTS)
        for path in paths
    )
