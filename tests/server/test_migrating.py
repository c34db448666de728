"""The report of the command `lintpickle.migrate`."""

from __future__ import annotations

from pathlib import Path

from tests.server.conftest import need_module

need_module("pygls")

from lintpickle.server.app import make_server  # noqa: E402
from lintpickle.server.migrating import report_on  # noqa: E402

_PINNED = (
    "import multiprocessing\n\n\nclass Level:\n    value = 1\n\n\n"
    "def work(number):\n    return number * Level.value\n\n\n"
    'if __name__ == "__main__":\n    Level.value = 2\n'
    '    with multiprocessing.get_context("fork").Pool(2) as pool:\n        print(pool.map(work, [1]))\n'
)


def test_the_report_names_what_depends_on_fork(tmp_path: Path) -> None:
    (tmp_path / "pinned.py").write_text(_PINNED, encoding="utf-8")
    report = report_on(tmp_path)
    assert "`pinned.py:14`" in report
    assert "LP208" in report


def test_clients_are_told_of_the_command() -> None:
    assert "lintpickle.migrate" in make_server().protocol.fm.commands
