"""A plugin of pytest: with `--lintpickle-probe`, every process, pool and DataLoader that a test starts is asked whether
what it is sent could be pickled. A test that sends something which cannot fails.

Without the option it does nothing, and imports nothing.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

_OPTION = "--lintpickle-probe"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("lintpickle", "lintpickle: what crosses process boundaries")
    group.addoption(
        _OPTION,
        action="store_true",
        dest="lintpickle_probe",
        help="Fail tests that hand something to a process, pool or DataLoader that spawn could not pickle.",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("lintpickle_probe"):
        config.pluginmanager.register(_Probe(), "lintpickle-probe")


class _Probe:
    """Watches this process. Events belong to the test that is running."""

    def __init__(self) -> None:
        from lintpickle.probing.injected.lintpickle_probe.hooks import Hooks
        from lintpickle.probing.injected.lintpickle_probe.recording import Asked, Recorder

        self._events: list[dict[str, Any]] = []
        self._counts: dict[str, int] = {}
        self._failed = 0
        Hooks(Recorder(Asked(None, "spawn", False), self._listen), only_processes=True).install()

    def _listen(self, event: dict[str, Any]) -> None:
        counted = event.get("counted")
        if counted is not None:
            self._counts[counted] = self._counts.get(counted, 0) + 1
        elif event["error"] is not None:
            self._events.append(event)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Fail the phase of a test in which something could not cross; if it has failed already, add what is known."""
        report = yield
        events, self._events = self._events, []
        if not events:
            return report
        text = _told(events)
        self._failed += 1
        if report.passed:
            report.outcome = "failed"
            report.longrepr = f"lintpickle: what this test hands to another process does not cross\n\n{text}"
        else:
            report.sections.append(("lintpickle probe", text))
        return report

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say how much was asked."""
        starts = self._counts.get("forked", 0) + self._counts.get("started", 0)
        terminalreporter.write_line(
            f"lintpickle: {starts} process{'' if starts == 1 else 'es'} started here; "
            f"in {self._failed} test{'' if self._failed == 1 else 's'} something did not cross"
        )


def _told(events: list[dict[str, Any]]) -> str:
    from lintpickle.probing.events import event_of
    from lintpickle.probing.explained import explain_events
    from lintpickle.probing.report import full
    from lintpickle.report.context import ReportContext
    from lintpickle.settings import SettingsResolver

    resolver = SettingsResolver()
    explanation = explain_events([event_of(event) for event in events], resolver)
    return full(explanation, {}, ReportContext(resolver.cwd, explanation.document)).rstrip("\n")
