"""`from lintpickle import probe`, and `assert_crosses` for tests."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import lintpickle
from lintpickle.testing import assert_crosses, probe

from .objects import Box, Counted

ROOT = Path(__file__).resolve().parents[2]


class Guarded:
    def __init__(self) -> None:
        self.names = {"car": 1}.keys()
        self.lock = threading.Lock()


class Loses:
    def __init__(self, kept: object) -> None:
        self.kept = kept

    def __getstate__(self) -> dict[str, object]:
        return {}


class NeedsMore(Exception):
    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NeedsMore)

    __hash__ = None  # type: ignore[assignment]


def test_it_is_offered_at_the_top() -> None:
    assert lintpickle.probe is probe
    with pytest.raises(AttributeError, match="no attribute 'prob'"):
        lintpickle.prob  # noqa: B018


def test_importing_lintpickle_imports_nothing_of_it() -> None:
    code = "import sys; known = set(sys.modules); import lintpickle; print(*(set(sys.modules) - known))"
    ran = subprocess.run([sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["lintpickle"]


def test_what_crosses() -> None:
    report = probe(Box(a=[1, 2]))
    assert report
    assert report.culprits == ()
    assert str(report) == "It crosses."


def test_the_report_names_path_line_rule_and_fix() -> None:
    dataset = Guarded()
    report = probe(dataset)
    assert not report
    assert [each.path for each in report.culprits] == ["dataset.names", "dataset.lock"]
    text = repr(report)
    assert "error[LP101] dict-view-attribute: dataset.names: dict_keys" in text
    assert "error[LP111] lock-attribute: dataset.lock: _thread.lock" in text
    assert "test_library.py:23:22" in text
    assert "when the process is started: TypeError: cannot pickle 'dict_keys' object" in text
    assert "list({" in text
    assert "Found 2 objects that cannot cross, at 1 boundary." in text


def test_names() -> None:
    assert [each.path for each in probe(Guarded(), name="it").culprits] == ["it.names", "it.lock"]
    assert probe(Guarded()).culprits[0].path == "Guarded.names"


def test_ways() -> None:
    import multiprocessing

    box = Box(lock=multiprocessing.get_context("spawn").Lock())
    assert probe(box, start_method="forkserver")
    assert not probe(box, start_method="queue")
    assert not probe(box, start_method="pickle")
    with pytest.raises(ValueError, match="start_method 'fork': use one of spawn, forkserver, queue"):
        probe(box, start_method="fork")


def test_the_way_back_counts() -> None:
    report = probe(NeedsMore(1, "x"))
    assert not report
    assert "TypeError" in (report.error or "")
    assert "when it is unpickled" in str(report)
    assert probe(NeedsMore(1, "x"), back=False)


def test_hooks_run_once() -> None:
    counted = Counted(1)
    probe(counted)
    assert counted.asked == 1


class TestAssertCrosses:
    def test_what_crosses(self) -> None:
        assert_crosses({"a": [1]})
        assert_crosses({"a": [1]}, equal=True)

    def test_what_does_not(self) -> None:
        dataset = Guarded()
        with pytest.raises(AssertionError, match=r"^dataset does not cross \(spawn\)\n\nerror\[LP101\]"):
            assert_crosses(dataset)

    def test_what_comes_back_as_something_else(self) -> None:
        loses = Loses(1)
        assert_crosses(loses)
        with pytest.raises(AssertionError, match="loses comes back as something else"):
            assert_crosses(loses, equal=lambda before, after: vars(before) == vars(after))

    @pytest.mark.parametrize("method", ["spawn", "forkserver", "queue"])
    def test_start_methods(self, method: Any) -> None:
        assert_crosses(Box(a=1), method, equal=lambda before, after: vars(before) == vars(after))
