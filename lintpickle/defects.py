"""Failures of lintpickle itself: each affects only what was being examined, and is reported.

A failure of one rule on one module, or while one boundary is followed, must not affect any other finding.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from types import TracebackType
from typing import ParamSpec, TypeVar

from lintpickle.addresses import ISSUES
from lintpickle.diagnostics import Defect, LintpickleError
from lintpickle.watchdog import Budget, OverBudget, Watchdog

GIVEN_UP = "giving up"
"""Used instead of the name of a task for a file that was left out."""
OUT_OF_MEMORY = "there is no memory left for it"
LINKING = "linking"
"""The task of finding out what crosses."""

_HERE = os.path.dirname(__file__)
_Item = TypeVar("_Item")
_Given = ParamSpec("_Given")


class Defects:
    """What has failed so far, by the path of the module that was being judged ("" if that is not known)."""

    def __init__(self, budget: Budget | None = None) -> None:
        self.found: dict[str, set[Defect]] = {}
        self.watchdog = Watchdog(budget)
        """Watches the work that is done here."""

    def note(self, error: Exception, path: str, task: str) -> None:
        """Take note of what failed while a task was being done for a module."""
        defect = Defect(path, task, _said(error), _place(error.__traceback__))
        self.found.setdefault(path, set()).add(defect)

    def all_of(
        self,
        path: str,
        task: str,
        ask: Callable[_Given, Iterable[_Item]],
        *arguments: _Given.args,
        **keywords: _Given.kwargs,
    ) -> Sequence[_Item]:
        """All that asking gives; nothing if that fails."""
        entered: str | None = None
        try:
            entered = self.watchdog.enter(path)
            return tuple(ask(*arguments, **keywords))
        except LintpickleError:
            raise
        except MemoryError:
            self._give_up(OverBudget(path, OUT_OF_MEMORY), path)
        except OverBudget as over:
            self._give_up(over, path)
        except Exception as error:
            self.note(error, path, task)
        finally:
            self.watchdog.leave(entered)
        return ()

    def each_of(self, path: str, task: str, items: Iterable[_Item]) -> Iterator[_Item]:
        """The items, one by one, until getting the next one fails."""
        remaining = iter(items)
        while True:
            entered: str | None = None
            try:
                entered = self.watchdog.enter(path)
                item = next(remaining)
            except StopIteration:
                return
            except LintpickleError:
                raise
            except MemoryError:
                self._give_up(OverBudget(path, OUT_OF_MEMORY), path)
                return
            except OverBudget as over:
                self._give_up(over, path)
                return
            except Exception as error:
                self.note(error, path, task)
                return
            finally:
                self.watchdog.leave(entered)
            yield item

    def _give_up(self, over: OverBudget, path: str) -> None:
        """Stop working on a file. Raises OverBudget again if it is not about the file at `path` ("": any file)."""
        self.watchdog.give_up(over.path, over.said)
        self.found.setdefault(over.path, set()).add(Defect(over.path, GIVEN_UP, "", "", over.said))
        if path and path != over.path:
            raise over


def reports(defects: Iterable[Defect], cwd: str) -> Iterator[str]:
    """The lines for the user: one for each task that failed in the same way, however many files it concerns."""
    ordered = sorted(set(defects), key=lambda each: (each.task, each.error, each.place, each.path))
    for (task, error, place), group in groupby(ordered, key=lambda each: (each.task, each.error, each.place)):
        paths = [os.path.relpath(each.path, cwd) for each in group if each.path]
        on = f" on {paths[0]}" if paths else ""
        more = f" and {len(paths) - 1} more file{'s' * (len(paths) > 2)}" if len(paths) > 1 else ""
        yield (
            f"{task} failed{on}{more}: {error} ({place}). What it would have found there is missing, nothing else. "
            f"This is a defect of lintpickle: please report this line, with the code if you can: {ISSUES}"
        )


def told(error: Exception) -> str:
    """An unexpected error as text, with the place where it was raised."""
    return f"{_said(error)} ({_place(error.__traceback__)})"


def _said(error: Exception) -> str:
    kind = type(error)
    said = "" if issubclass(kind, RecursionError) else str(error).partition("\n")[0]  # It tells of the stack's end.
    return f"{kind.__name__}: {said}" if said else kind.__name__


def _place(trace: TracebackType | None) -> str:
    """Where it failed. Of calls without end, the first one that comes again: where the stack ends is chance."""
    calls: list[tuple[str, int]] = []
    while trace is not None:
        calls.append((trace.tb_frame.f_code.co_filename, trace.tb_lineno))
        trace = trace.tb_next
    ours = [call for call in calls if call[0].startswith(_HERE)]
    seen: dict[tuple[str, int], int] = {}
    for call in ours:
        seen[call] = seen.get(call, 0) + 1
    name, line = next((call for call in ours if seen[call] > 20), (ours or calls)[-1])
    return f"{os.path.relpath(name, os.path.dirname(_HERE)).replace(os.sep, '/')}:{line}"
