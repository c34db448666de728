"""What a signal does to a worker that has no handler for it: the default action of most is to end the process (POSIX,
signal(7); measured with CPython 3.11: exit code -10 for SIGUSR1, -14 for SIGALRM)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lintpickle.analyses.main_state.main_setters import Met, Setter, Setting
from lintpickle.analyses.process_state.setting_uses import Dependence

SETS_HANDLER = "signal.signal"
UNHANDLED = Met("there the signal has its default effect", "set")
_ASKED_TO_END = frozenset({"SIGTERM", "SIGINT", "SIGQUIT", "SIGKILL", "SIGABRT"})
"""What is sent so that a process ends: without its handler it does."""
_HARMLESS = frozenset({"SIGCHLD", "SIGCLD", "SIGCONT", "SIGPIPE", "SIGURG", "SIGWINCH", "SIGXFSZ"})
"""What does nothing by default, or nothing to a Python process."""
_STOPPING = frozenset({"SIGSTOP", "SIGTSTP", "SIGTTIN", "SIGTTOU"})
_SIGNAL = re.compile(r"\bSIG(?!_)[A-Z]+\d?\b")
_ALARM = "SIGALRM"
_ALARMS = ("signal.alarm", "signal.setitimer")
_OTHER_TIMERS = re.compile(r"ITIMER_(?:VIRTUAL|PROF)")
_RAISES = ("signal.raise_signal",)


def default_effect(name: str) -> Met:
    """What a signal of that name does to a worker without a handler."""
    if name in _ASKED_TO_END | _HARMLESS | _STOPPING:
        return UNHANDLED
    return Met(f"there its default effect ends the process: the worker is killed by {name}", "set", f"killed by {name}")


def handling(setters: Iterable[Setter], dependence: Dependence) -> Iterator[Setter]:
    """Those of some places that set handlers which may be for the signal that a worker has sent to itself."""
    name = _sent_to_itself(dependence)
    for each in setters:
        named = set(_SIGNAL.findall(each.module.code, each.span.start, each.span.end))
        if name is None or not named or name in named:
            yield each


def effect_without(setting: Setting, dependence: Dependence) -> Met | None:
    """What a worker meets that sends itself a signal, or has it sent after a time, whose handler the main process sets;
    None if that is not seen."""
    site, name = setting.site, _sent_to_itself(dependence)
    named = set(_SIGNAL.findall(site.module.code, site.span.start, site.span.end))
    met = default_effect(name) if name is not None and named == {name} else None
    return met if met is not None and met.error is not None else None


def _sent_to_itself(dependence: Dependence) -> str | None:
    """The name of a signal that a use in a worker leads to."""
    code, span = dependence.function.module.code, dependence.span
    text = code[span.start : span.end]
    if any(_is_called(path, dependence.written) for path in _ALARMS):
        return None if _OTHER_TIMERS.search(text) else _ALARM
    found = _SIGNAL.search(text) if any(_is_called(path, dependence.written) for path in _RAISES) else None
    return found.group() if found is not None else None


def _is_called(path: str, written: str) -> bool:
    return written.rpartition(".")[2] == path.rpartition(".")[2]
