"""Asking about what a program hands on, and telling what does not cross."""

from __future__ import annotations

import importlib
import io
import weakref
from typing import Any, Callable

from . import ways
from .hooks import FORKING
from .limits import BESIDE, Limits
from .names import error_line
from .payloads import carriers, parts_of
from .questions import Question, answer
from .recording import Recorder
from .sites import Remembered, Site, here, name_of

_FORKED = "fork"
_LABELS = {ways.PROCESS: "Process", ways.QUEUE: "ForkingPickler"}
_BY_CALL = (ways.PICKLE, ways.TORCH_SAVE)
"""Boundaries that the user's code calls itself, so that the call is their name."""

_SENT_LATER = (ways.QUEUE, ways.CLOUDPICKLE)
"""What may be pickled in another thread than that which hands it on."""


class Asker:
    """Asks, for one process."""

    def __init__(self, recorder: Recorder, remembered: Remembered) -> None:
        self._recorder = recorder
        self._remembered = remembered
        self._asked: dict[tuple[int, ...], list[Any]] = {}
        self._start_method = recorder.asked.start_method

    def starting(self, process: Any) -> None:
        """A process is about to be started: if by fork, ask what another start method would say, if that is wanted."""
        if _start_method(process) != _FORKED:
            self._recorder.count("started")
            return
        self._recorder.count("forked")
        if self._start_method is None:
            return
        parts = parts_of(process)
        if not self._is_known([value for _, value in parts[:-1] if not _is_own(value)]):
            self._recorder.count("asked")
            self._ask(Question(ways.process(beside=True), process, parts, limits=BESIDE), here())

    def _is_known(self, values: list[Any]) -> bool:
        """Whether the same objects were asked already, for another worker; they are from now on."""
        key = tuple(id(value) for value in values)
        known = self._asked.get(key)
        if known is not None and all(reference() is value for reference, value in zip(known, values)):
            return True
        self._asked[key] = [_reference(value) for value in values]
        return False

    def failed(self, kind: str, obj: Any, error: BaseException, pickler: Any) -> None:
        """A pickler of the program has raised an error."""
        way = _way(kind, pickler)
        parts = parts_of(obj)
        site = (self._remembered.of(*carriers(obj)) if way.kind in _SENT_LATER else None) or here()
        if not way.is_forking and parts[0][1] is obj:
            parts = ((name_of(obj), obj),)
        self._ask(Question(way, obj, parts, error, limits=Limits()), site)

    def _ask(self, question: Question, site: Site) -> None:
        said = answer(question)
        if said.error is None and said.stopped is None:
            return
        kind = question.way.kind
        label = _LABELS.get(kind, kind)
        self._recorder.event(
            {
                "kind": kind,
                "boundary": label if kind in _BY_CALL else site.boundary or label,
                "beside": question.way.beside,
                "start_method": self._start_method if question.way.beside else None,
                "error": None if said.error is None else error_line(said.error),
                "site": site.as_json(),
                "culprits": said.culprits,
                "more": said.more,
                "stopped": said.stopped,
                "objects": said.objects,
                "seconds": round(said.seconds, 3),
            }
        )


def _way(kind: str, pickler: Any) -> ways.Way:
    if kind == FORKING:
        context: Any = importlib.import_module("multiprocessing.context")
        return ways.process() if context.get_spawning_popen() is not None else ways.queue()
    return ways.plain(kind) if pickler is None else ways.of_pickler(kind, _like(pickler))


def _start_method(process: Any) -> str | None:
    own = getattr(process, "_start_method", None)
    if isinstance(own, str):
        return own
    default: Any = importlib.import_module("multiprocessing.context")._default_context
    name = (default._actual_context or default._default_context)._name
    return name if isinstance(name, str) else None


def _is_own(value: Any) -> bool:
    """Whether a part of a process is different for each worker of a loader or pool."""
    return isinstance(value, (int, str, bytes, float, type(None))) or type(value).__module__.startswith(
        ("multiprocessing.", "torch.multiprocessing")
    )


def _reference(value: Any) -> Callable[[], Any]:
    """A weak reference; to what takes none, one that is never known again."""
    try:
        return weakref.ref(value)
    except TypeError:
        return object


def _like(pickler: Any) -> Any:
    """A pickler of the same class that has not pickled anything."""
    try:
        return type(pickler)(io.BytesIO())
    except Exception:
        return pickler
