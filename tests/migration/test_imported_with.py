"""What `migrate` says of modules that start workers at import, and that workers import with what they get."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.judging import migrate
from lintpickle.migration.model import Verdict
from lintpickle.settings import SettingsResolver

TRACKERS = """\
import multiprocessing


def scan(path):
    return len(path)


class Tracker:
    def __init__(self, name):
        self.name = name

    def label(self):
        return self.name


pool = multiprocessing.Pool(2)
"""

JOBS = """\
def work(item):
    return str(item)
"""

MAIN = """\
from multiprocessing import Pool

from jobs import work


def main():
    import trackers
    with Pool(2) as pool:
        print(pool.map({}))


if __name__ == "__main__":
    main()
"""


def said(folder: Path, files: dict[str, str]) -> dict[str, Verdict]:
    """The worst verdict in each file."""
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    resolver = SettingsResolver(isolated=True, cwd=folder, overrides={"target-version": "==3.11"})
    found: dict[str, Verdict] = {}
    for each in migrate([str(folder)], resolver, StartMethod.SPAWN, "3.11").boundaries:
        name = Path(each.spot.path).name
        found[name] = min(found.get(name, each.verdict), each.verdict, key=list(Verdict).index)
    return found


@pytest.mark.parametrize(
    "given",
    [
        "work, [trackers.Tracker('a'), trackers.Tracker('b')]",
        "trackers.scan, ['a', 'bb']",
        "work, [[trackers.Tracker('a')]]",
    ],
)
def test_what_workers_get_has_them_import_its_module(tmp_path: Path, given: str) -> None:
    files = {"trackers.py": TRACKERS, "jobs.py": JOBS, "main.py": MAIN.format(given)}
    assert said(tmp_path, files) == {"trackers.py": Verdict.BREAKS, "main.py": Verdict.BREAKS}


def test_a_class_that_derives_from_one_there_does_so_too(tmp_path: Path) -> None:
    derived = "from trackers import Tracker\n\n\nclass Counter(Tracker):\n    pass\n"
    main = MAIN.replace("import trackers", "from counters import Counter").format("work, [Counter('a')]")
    found = said(tmp_path, {"trackers.py": TRACKERS, "counters.py": derived, "jobs.py": JOBS, "main.py": main})
    assert found["main.py"] is Verdict.BREAKS


@pytest.mark.parametrize("given", ["work, ['a', 'b']", "work, [trackers.Tracker('a').label()]"])
def test_what_does_not_cross_imports_nothing(tmp_path: Path, given: str) -> None:
    files = {"trackers.py": TRACKERS, "jobs.py": JOBS, "main.py": MAIN.format(given)}
    assert said(tmp_path, files) == {"trackers.py": Verdict.READY, "main.py": Verdict.READY}


def test_threads_import_nothing_anew(tmp_path: Path) -> None:
    threads = MAIN.replace("multiprocessing import Pool", "multiprocessing.pool import ThreadPool as Pool")
    main = threads.format("work, [trackers.Tracker('a')]")
    assert said(tmp_path, {"trackers.py": TRACKERS, "jobs.py": JOBS, "main.py": main}) == {"trackers.py": Verdict.READY}


def test_a_module_that_starts_none_may_be_imported(tmp_path: Path) -> None:
    quiet = TRACKERS.replace("pool = multiprocessing.Pool(2)", "def pool():\n    return multiprocessing.Pool(2)")
    main = MAIN.format("work, [trackers.Tracker('a')]")
    assert said(tmp_path, {"trackers.py": quiet, "jobs.py": JOBS, "main.py": main})["main.py"] is Verdict.READY


REGISTRY = """\
import importlib

RULES = {}


def rule(name):
    def keep(function):
        RULES[name] = function
        return function
    return keep


def get(name):
    return RULES[name]


def load(names):
    for name in names:
        importlib.import_module(f"rules.{name}")
"""

CHECKING = """\
import multiprocessing

import registry


def check(name):
    return registry.get(name)(name)


def main():
    {}
    with multiprocessing.Pool(2) as pool:
        print(pool.map(check, ["loud"]))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("loading", "place"),
    [
        ('registry.load(["style"])', ("registry.py", 19)),
        ("import rules.style", ("main.py", 11)),
        ('registry.RULES["loud"] = str.upper', None),
    ],
)
def test_the_trail_says_where_main_imports_what_fills_a_registry(
    tmp_path: Path, loading: str, place: tuple[str, int] | None
) -> None:
    (tmp_path / "rules").mkdir()
    filling = 'from registry import rule\n\n\n@rule("loud")\ndef loud(text):\n    return text.upper()\n'
    (tmp_path / "rules" / "__init__.py").write_text("", encoding="utf-8")
    (tmp_path / "rules" / "style.py").write_text("" if place is None else filling, encoding="utf-8")
    (tmp_path / "registry.py").write_text(REGISTRY, encoding="utf-8")
    (tmp_path / "main.py").write_text(CHECKING.format(loading), encoding="utf-8")
    resolver = SettingsResolver(isolated=True, cwd=tmp_path, overrides={"target-version": "==3.11"})
    found = migrate([str(tmp_path)], resolver, StartMethod.SPAWN, "3.11").boundaries
    steps = [step for each in found for finding in each.findings for step in finding.diagnostic.trail]
    imported = [each.location for each in steps if each.message == "the main process imports what changes it"]
    assert [(Path(each.path).name, each.start.row) for each in imported] == ([place] if place is not None else [])
