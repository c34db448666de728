"""A method that main alone gives a class of the program: workers that call it get an AttributeError."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.judging import migrate
from lintpickle.migration.model import Verdict
from lintpickle.settings import SettingsResolver

MAIN = """\
import multiprocessing

import exporters
from records import Record, sample


def work(chunk{}):
    {}


def as_row(record):
    return f"{{record.key}};"


def main():
    {}
    with multiprocessing.Pool(2) as pool:
        print(pool.map(work, [sample(3), sample(4)]))


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
"""
RECORDS = """\
from dataclasses import dataclass


@dataclass
class Record:
    key: str


def sample(n):
    return [Record(f"k{i}") for i in range(n)]
"""
EXPORTERS = """\
FORMATS = {"row": lambda record: f"{record.key};"}


def install(cls, name):
    setattr(cls, "render", FORMATS[name])
    return cls


def install_plain(name, cls):
    cls.render = FORMATS[name]
"""
EACH = "return [record.render() for record in chunk]"
INSTALL = "exporters.install(Record, 'row')"


def verdict(folder: Path, main: tuple[str, str, str], records: str = RECORDS) -> Verdict:
    (folder / "records.py").write_text(records, encoding="utf-8")
    (folder / "exporters.py").write_text(EXPORTERS, encoding="utf-8")
    (folder / "main.py").write_text(MAIN.format(*main), encoding="utf-8")
    resolver = SettingsResolver(isolated=True, cwd=folder, overrides={"target-version": "==3.11"})
    found = migrate([str(folder)], resolver, StartMethod.SPAWN, "3.11").boundaries
    return min((boundary.verdict for boundary in found), key=list(Verdict).index)


@pytest.mark.parametrize(
    ("annotation", "work", "set_up"),
    [
        pytest.param("", EACH, "Record.render = as_row", id="stored"),
        pytest.param("", EACH, "setattr(Record, 'render', as_row)", id="by setattr"),
        pytest.param("", EACH, INSTALL, id="by a helper"),
        pytest.param("", EACH, "exporters.install_plain('row', cls=Record)", id="by a helper, by name"),
        pytest.param(": list[Record]", EACH, INSTALL, id="annotated"),
        pytest.param("", "return [Record.render(record) for record in chunk]", INSTALL, id="on the class"),
        pytest.param("", "record = Record(len(chunk))\n    return record.render()", INSTALL, id="made by the worker"),
    ],
)
def test_workers_lack_it(annotation: str, work: str, set_up: str, tmp_path: Path) -> None:
    assert verdict(tmp_path, (annotation, work, set_up)) is Verdict.BREAKS


@pytest.mark.parametrize(
    ("work", "set_up", "records"),
    [
        pytest.param("return [record.key for record in chunk]", INSTALL, RECORDS, id="workers do not call it"),
        pytest.param(
            f"exporters.install(Record, 'row')\n    {EACH}", INSTALL, RECORDS, id="workers give it to the class, too"
        ),
        pytest.param(
            EACH, "print(FORMATS)", f"{RECORDS}\n\nRecord.render = lambda record: record.key\n", id="given at import"
        ),
        pytest.param(
            EACH,
            "print(2)",
            f"import exporters\n{RECORDS}\n\nexporters.install(Record, 'row')\n",
            id="given at import by the helper",
        ),
        pytest.param(
            "return [str(record).render() for record in chunk]", "exporters.FORMATS.render = 1", RECORDS, id="no class"
        ),
    ],
)
def test_workers_have_it_or_do_without(work: str, set_up: str, records: str, tmp_path: Path) -> None:
    set_up = set_up.replace("FORMATS", "exporters.FORMATS") if "exporters" not in set_up else set_up
    assert verdict(tmp_path, ("", work, set_up), records) in (Verdict.READY, Verdict.CANNOT_TELL)


def test_objects_of_another_class_may_have_it(tmp_path: Path) -> None:
    page = "\n\nclass Page:\n    def render(self):\n        return ''\n"
    assert verdict(tmp_path, ("", EACH, INSTALL), f"{RECORDS}{page}") is not Verdict.BREAKS


def test_an_object_that_is_known_to_be_another_one_is_not_concerned(tmp_path: Path) -> None:
    work = "import jinja2\n    return jinja2.Template(str(chunk)).render()"
    assert verdict(tmp_path, ("", work, INSTALL)) is not Verdict.BREAKS
