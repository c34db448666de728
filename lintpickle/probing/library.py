"""Asking of one object, in a test, a notebook or a shell, whether it crosses a process boundary."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from lintpickle.probing.events import ProbedCulprit, ProbeEvent, event_of
from lintpickle.probing.injected.lintpickle_probe import ways
from lintpickle.probing.injected.lintpickle_probe.limits import Limits
from lintpickle.probing.injected.lintpickle_probe.names import error_line
from lintpickle.probing.injected.lintpickle_probe.questions import Answer, Question, answer

_WAYS: Mapping[str, Callable[[], ways.Way]] = {
    "spawn": ways.process,
    "forkserver": ways.process,
    "queue": ways.queue,
    "pickle": ways.plain,
    "torch.save": lambda: ways.plain(ways.TORCH_SAVE),
}
"""What `start_method` of `probe` may be: a start method of processes, or another way in which objects are pickled."""


class Report:
    """What `probe` found. It is true if the object crosses; its text names what does not, with lines, rules and fixes.

    `copy` is what came back on the other side, if the object crosses and that was asked for.
    """

    def __init__(self, event: ProbeEvent, found: Answer) -> None:
        self._event = event
        self.error = event.error
        """What pickling raises, as the last line of a traceback has it; None if the object crosses."""
        self.stopped = event.stopped
        """The limit that was reached before all of the object was looked at; None if none was."""
        self.copy: object = found.copy

    def __bool__(self) -> bool:
        return self.error is None

    @property
    def culprits(self) -> tuple[ProbedCulprit, ...]:
        """Everything in the object that does not pickle, by its path."""
        return self._event.culprits

    @cached_property
    def text(self) -> str:
        """The report for people. Sources are read when it is first requested; no more code is run."""
        if self.error is None:
            limits = f" (as far as it was looked at: {self.stopped})" if self.stopped else ""
            return f"It crosses{limits}."
        from lintpickle.probing.explained import explain_events
        from lintpickle.probing.report import full
        from lintpickle.report.context import ReportContext
        from lintpickle.settings import SettingsResolver

        resolver = SettingsResolver(overrides={"python": sys.prefix} if _has_packages() else {})
        explanation = explain_events((self._event,), resolver)
        return full(explanation, {}, ReportContext(resolver.cwd, explanation.document)).rstrip("\n")

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__


def probe(
    obj: object,
    *,
    start_method: str = "spawn",
    name: str | None = None,
    back: bool = True,
    seconds: float = 20.0,
    megabytes: float = 4000.0,
) -> Report:
    """Ask whether an object crosses a process boundary, and name everything in it that does not.

    `start_method` is "spawn" or "forkserver" (what starting a process hands over), "queue" (what queues, pipes and
    pools send), "pickle" or "torch.save". `name` is what the report calls the object; by default, what the caller
    calls it. With `back`, the object is unpickled as well, in this process. Its code that has a say in pickling
    (`__reduce__`, `__getstate__`) runs, once for each object, as it would when a worker starts; tensors and arrays of
    numbers are not copied. Not more than `seconds` and `megabytes` of pickled bytes are spent.

    Raises ValueError for another `start_method`.
    """
    way = _WAYS.get(start_method)
    if way is None:
        raise ValueError(f"start_method {start_method!r}: use one of {', '.join(_WAYS)}")
    called = name or _name_in(sys._getframe(1).f_locals, obj)
    limits = Limits(seconds=seconds, megabytes=megabytes)
    asked = way()
    found = answer(Question(asked, obj, ((called, obj),), limits=limits, back=back))
    event = event_of(
        {
            "boundary": {"queue": "a queue", "pickle": "pickle", "torch.save": "torch.save"}.get(
                start_method, f"a process that is started by {start_method}"
            ),
            "kind": asked.kind,
            "error": None if found.error is None else error_line(found.error),
            "culprits": found.culprits,
            "more": found.more,
            "stopped": found.stopped,
            "on_the_way_back": found.on_the_way_back,
            "objects": found.objects,
            "seconds": found.seconds,
        }
    )
    return Report(event, found)


def assert_crosses(
    obj: object,
    start_method: str = "spawn",
    *,
    equal: bool | Callable[[Any, Any], bool] = False,
    name: str | None = None,
) -> None:
    """Raise AssertionError, with the report of `probe` for its text, unless an object crosses and can be made again on
    the other side. With `equal`, what comes back has to be equal to it: by `==`, or by a function of both."""
    __tracebackhide__ = True  # pytest shows the line of the test
    called = name or _name_in(sys._getframe(1).f_locals, obj)
    report = probe(obj, start_method=start_method, name=called)
    if not report:
        raise AssertionError(f"{called} does not cross ({start_method})\n\n{report.text}")
    if report.stopped is not None:
        raise AssertionError(f"{called} was not looked at to the end: stopped after {report.stopped}")
    if equal is not False:
        same = (lambda before, after: before == after) if equal is True else equal
        if not same(obj, report.copy):
            raise AssertionError(f"{called} comes back as something else ({start_method}): it is not equal to its copy")


def _name_in(variables: Mapping[str, object], obj: object) -> str:
    """What the caller calls an object: a variable that is bound to it, else its type."""
    found = [name for name, value in variables.items() if value is obj and name.isidentifier()]
    kind = type(obj).__name__
    return found[0] if found else kind if kind.isidentifier() else "object"


def _has_packages() -> bool:
    from pathlib import Path

    from lintpickle.diagnostics import LintpickleError
    from lintpickle.imports.environment_search import find_environment

    try:
        find_environment(sys.prefix, Path.cwd(), {}, sys.prefix)
    except LintpickleError:
        return False
    return True
