"""The probe against pickle on live objects of packages: the table, and what the driver says of known objects."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from typing import Any

import pytest

from lintpickle.probing.injected.lintpickle_probe.walk import Walk
from tools.probe_packages import driver
from tools.probe_packages.__main__ import ROOT, main, read_objects


def answers(*rows: tuple[str, str]) -> list[dict[str, Any]]:
    asked = "".join(json.dumps({"imports": imports, "expression": expression}) + "\n" for imports, expression in rows)
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(
        [sys.executable, driver.__file__], input=asked, env=environ, capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in ran.stdout.splitlines()]


def test_the_table_has_thirty_packages_whose_objects_stand_together() -> None:
    objects = read_objects()
    packages = [each.package for each in objects]
    assert len(set(packages)) >= 30
    assert packages == sorted(packages)
    assert all(each.version and each.expression for each in objects)
    assert len({(each.package, each.version) for each in objects}) == len(set(packages))


def test_what_is_said_of_objects() -> None:
    crosses, locks, absent = answers(
        ("collections", "collections.OrderedDict(a=1)"),
        ("threading queue", "{'queue': queue.Queue(), 'lock': threading.Lock(), 'numbers': [1, 2]}"),
        ("no_such_module", "no_such_module.Thing()"),
    )
    assert crosses["error"] is None and crosses["probe"] is None and crosses["left"] is None
    assert locks["error"] == locks["probe"] == "TypeError: cannot pickle '_thread.lock' object"
    assert locks["left"] is None and locks["needless"] == []
    assert "obj['lock']: _thread.lock" in locks["culprits"]
    assert absent == {"absent": "ModuleNotFoundError: No module named 'no_such_module'"}


def test_what_is_printed_by_a_package_is_no_answer() -> None:
    assert [each["error"] for each in answers(("", "print('hello')"), ("", "1"))] == [None, None]


def test_something_that_the_probe_misses_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Walk.over

    def blind(walk: Any, parts: Any) -> Any:
        seen = found(walk, parts)
        return seen._replace(culprits=seen.culprits[:1])

    monkeypatch.setattr(Walk, "over", blind)
    assert (
        driver.judged([threading.Lock(), (number for number in (1, 2))])["left"]
        == "TypeError: cannot pickle 'generator' object"
    )


def test_the_pins_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--requirements", "requests"]) == 0
    assert capsys.readouterr().out.startswith("requests==")
