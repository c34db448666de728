"""One question: does this cross? And the answer, as plain data that can be written as JSON."""

from __future__ import annotations

import pickle
import types
from typing import Any, Iterable, NamedTuple

from .attempts import attempt, there_and_back
from .limits import Clock, Limits
from .names import class_ref, class_refs, error_line, module_file, type_name
from .reductions import Reductions
from .walk import Culprit, Found, Node, Walk
from .ways import Way

_NOT_WITHIN = 60


class Question(NamedTuple):
    """`whole` is what is pickled; `parts` are the same by names that mean something to the user. `failed` is what
    pickling has raised already, if it was tried."""

    way: Way
    whole: Any
    parts: tuple[tuple[str, Any], ...]
    failed: BaseException | None = None
    protocol: int = pickle.DEFAULT_PROTOCOL
    limits: Limits = Limits()
    back: bool = False


class Answer(NamedTuple):
    """`error` is what pickling raises, or what comes of unpickling (`on_the_way_back`); None if it crosses. `stopped`
    says which limit was reached before all was looked at. `copy` is what came back, if that was asked for."""

    error: BaseException | None
    culprits: list[dict[str, Any]]
    more: int
    stopped: str | None
    objects: int
    seconds: float
    on_the_way_back: bool = False
    copy: Any = None


def answer(question: Question) -> Answer:
    """Ask pickle, and find all that it refuses. Nothing is written to any file; code of the program that says how its
    objects pickle is run, once for each object."""
    clock = Clock(question.limits)
    reductions = Reductions(question.way, question.protocol)
    with question.way.entered():
        if question.failed is None:
            tried = attempt(question.whole, reductions, clock)
            if tried.error is None:
                return _crossed(question, reductions, clock, tried.stopped)
            error = tried.error
        else:
            error = question.failed
        clock.bytes = 0
        found = _confirmed(Walk(reductions, clock).over(question.parts), reductions, clock)
    culprits = [told(each) for each in found.culprits]
    if not culprits and isinstance(error, RecursionError) and found.deepest is not None:
        culprits = [told(_too_deep(found.deepest, error))]
    return Answer(error, culprits, found.more, clock.stopped, clock.objects, clock.seconds)


def _crossed(question: Question, reductions: Reductions, clock: Clock, stopped: str | None) -> Answer:
    copy = None
    if question.back and stopped is None:
        try:
            copy = there_and_back(question.whole, reductions, clock)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return Answer(error, [], 0, clock.stopped, clock.objects, clock.seconds, True)
    return Answer(None, [], 0, stopped, clock.objects, clock.seconds, False, copy)


def _confirmed(found: Found, reductions: Reductions, clock: Clock) -> Found:
    """Without what pickles when it is pickled alone; each with the words of the pickler that failed."""
    clock.stopped, stopped = None, clock.stopped
    kept = []
    for culprit in found.culprits:
        tried = attempt(culprit.nodes[0].obj, reductions, Clock(clock.limits))
        if tried.error is not None:
            culprit.error = tried.error
            kept.append(culprit)
    clock.stopped = stopped
    return Found(kept, found.more, found.deepest)


def _too_deep(deepest: Node, error: BaseException) -> Culprit:
    """Objects that nest more deeply than pickle can follow: told at the attribute where that begins."""
    way = deepest.way()
    start = next((node for node in way if node.attribute is not None), way[0])
    return Culprit(start, error)


def told(culprit: Culprit) -> dict[str, Any]:
    """A culprit as plain data."""
    node = culprit.nodes[0]
    owner = node.owner()
    return {
        "path": node.path,
        "places": [each.path for each in culprit.nodes],
        "count": culprit.count,
        "type": type_name(type(node.obj)),
        "error": error_line(culprit.error),
        "owner": _owner(owner),
        "steps": list(_steps(node)),
        "defined": _definition(node.obj),
    }


def _owner(step: Node | None) -> dict[str, Any] | None:
    if step is None or step.parent is None:
        return None
    thing = type(step.parent.obj)
    return {**class_ref(thing), "attribute": step.attribute, "bases": class_refs(thing)}


def _steps(node: Node) -> Iterable[dict[str, Any]]:
    for each in node.way()[:_NOT_WITHIN]:
        yield {"path": each.path, "type": type_name(type(each.obj)), "owner": _owner(each) if each.attribute else None}


def _definition(obj: Any) -> dict[str, Any] | None:
    """Where a function or class (or the class of an object that is no global) is defined."""
    if type(obj) is types.MethodType:
        obj = obj.__func__
    if type(obj) is types.FunctionType:
        code = obj.__code__
        return {"file": code.co_filename, "line": code.co_firstlineno, "name": obj.__qualname__, "what": "function"}
    thing = obj if issubclass(type(obj), type) else type(obj)  # proxies say that they are of another class
    if "<locals>" not in type_name(thing):
        return None
    line = _first_line_of(thing)
    return {"file": module_file(thing.__module__), "line": line, "name": thing.__qualname__, "what": "class"}


def _first_line_of(thing: type) -> int | None:
    """The first line of the first method of a class; None if it has none."""
    methods = (value for value in vars(thing).values() if type(value) is types.FunctionType)
    return min((method.__code__.co_firstlineno for method in methods), default=None)
