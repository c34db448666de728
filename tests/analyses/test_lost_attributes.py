"""LP207: what workers change in an object that the shipped one holds, and that only other modules read by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver

_METRICS = """\
from dataclasses import dataclass, field


@dataclass
class Metrics:
    seen: int = 0
    names: list = field(default_factory=list)

    def reject(self, name):
        self.names.append(name)

    def report(self):
        return f"seen {self.seen}"
"""
_STEPS = """\
from metrics import Metrics


class Step:
    def __init__(self):
        self.metrics = Metrics()


class Filter(Step):
    def __init__(self, least):
        super().__init__()
        self.least = least

    def __call__(self, read):
        {change}
        return len(read) >= self.least
"""
_MAIN = """\
from multiprocessing import Pool
from multiprocessing.pool import ThreadPool

from steps import Filter


def main():
    qc = Filter(3)
    with {pool}(2) as pool:
        kept = pool.map(qc, ["a", "bcde"])
    print(kept)
    {read}


if __name__ == "__main__":
    main()
"""
_COUNTS, _REPORTS = "self.metrics.seen += 1", "print(qc.metrics.report())"


def _found(folder: Path, change: str, read: str, pool: str = "Pool") -> list[str]:
    (folder / "metrics.py").write_text(_METRICS)
    (folder / "steps.py").write_text(_STEPS.format(change=change))
    (folder / "main.py").write_text(_MAIN.format(read=read, pool=pool))
    found = lint_paths([str(folder)], resolver=SettingsResolver(isolated=True, cwd=folder)).diagnostics
    return [Path(each.location.path).name for each in found if each.code == "LP207"]


@pytest.mark.parametrize("read", [_REPORTS, "print(qc.metrics.seen)"])
def test_a_count_of_a_member_object(tmp_path: Path, read: str) -> None:
    assert _found(tmp_path, _COUNTS, read) == ["steps.py"]


@pytest.mark.parametrize(
    ("change", "read", "pool"),
    [
        pytest.param(_COUNTS, "print(qc.least)", "Pool", id="not read"),
        pytest.param(_COUNTS, "print(qc.metrics.names)", "Pool", id="another attribute is read"),
        pytest.param("print(self.metrics.seen)", _REPORTS, "Pool", id="not changed"),
        pytest.param(_COUNTS, _REPORTS, "ThreadPool", id="threads share it"),
        pytest.param(_COUNTS, "qc.metrics.seen += sum(kept)\n    " + _REPORTS, "Pool", id="counted by main"),
    ],
)
def test_what_is_not_lost_of_a_member_object(tmp_path: Path, change: str, read: str, pool: str) -> None:
    assert _found(tmp_path, change, read, pool) == []
