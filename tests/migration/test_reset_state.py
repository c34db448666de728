"""Attributes that `__getstate__` leaves out, that `__setstate__` sets back to what a new object has, and that the main
process has changed by then. Measured with CPython 3.11 under fork and spawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

CODE = """\
import multiprocessing as mp

PLAIN = {"width": 8, "mark": "."}


class Table:
    def __init__(self, rows, style=None):
        self.rows = rows
        self.{start}

    def restyle(self, **style):
        self.style.update(style)

    def widen(self, width):
        self.style = {"width": width, "mark": "."}

    def __getstate__(self):
        return {sent}

    def __setstate__(self, state):
        {arrive}

    def text(self):
        {first}
        return [str(row).rjust(self.style["width"], self.style["mark"]) for row in self.rows]


def show(table):
    {begin}
    print(table.text())


def main():
    table = Table([1, 2])
    {change}
    worker = mp.Process(target=show, args=(table,))
    worker.start()
    worker.join()
    {later}


if __name__ == "__main__":
    main()
"""
LITERAL = 'style = {"width": 8, "mark": "."}'
COPIED = "style = dict(style or PLAIN)"
SENT = '{"rows": self.rows}'
ANEW = 'self.__init__(state["rows"])'
DIRECT = 'self.__dict__.update(state)\n        self.style = {"width": 8, "mark": "."}'
CHANGES = ["table.restyle(width=3)", "table.widen(4)", 'table.style["mark"] = "*"', 'table.style.update(mark="*")']
LATER = "table.restyle(width=2)"


def said(
    folder: Path,
    change: str,
    start: str = LITERAL,
    sent: str = SENT,
    arrive: str = ANEW,
    first: str = "pass",
    begin: str = "pass",
    later: str = "pass",
) -> Verdict:
    code = CODE
    given = {"start": start, "sent": sent, "arrive": arrive, "first": first, "begin": begin, "later": later}
    for name, text in {**given, "change": change}.items():
        code = code.replace(f"{{{name}}}", text)
    return worst(migrated(folder, code))


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize(("start", "arrive"), [(LITERAL, ANEW), (LITERAL, DIRECT), (COPIED, ANEW), (COPIED, DIRECT)])
def test_what_arrives_as_in_a_new_object(tmp_path: Path, change: str, start: str, arrive: str) -> None:
    assert said(tmp_path, change, start, arrive=arrive) is Verdict.CHANGES


@pytest.mark.parametrize("arrive", [ANEW, DIRECT])
def test_what_nobody_changes(tmp_path: Path, arrive: str) -> None:
    assert said(tmp_path, "pass", arrive=arrive) is Verdict.READY
    assert said(tmp_path, "print(table.style)", arrive=arrive) is Verdict.READY


@pytest.mark.parametrize("arrive", [ANEW, DIRECT])
def test_what_main_changes_after_the_start(tmp_path: Path, arrive: str) -> None:
    assert said(tmp_path, "pass", arrive=arrive, later=LATER) is Verdict.READY


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize(
    ("sent", "arrive"),
    [
        ('{"rows": self.rows, "style": self.style}', "self.__dict__.update(state)"),
        ('{"rows": self.rows, "style": self.style}', 'self.__init__(state["rows"], state["style"])'),
        ("(self.rows, self.style)", "self.rows, self.style = state"),
    ],
)
def test_what_is_sent(tmp_path: Path, change: str, sent: str, arrive: str) -> None:
    assert said(tmp_path, change, COPIED, sent=sent, arrive=arrive) is Verdict.READY


def test_what_workers_change_themselves(tmp_path: Path) -> None:
    assert said(tmp_path, "table.restyle(width=3)", begin="table.restyle(width=3)") is Verdict.READY
    assert said(tmp_path, "table.restyle(width=3)", first="self.restyle(width=3)") is Verdict.READY


def test_another_class_with_an_attribute_of_the_name(tmp_path: Path) -> None:
    other = "class Page:\n    def __init__(self):\n        self.style = {}\n\n\nPAGE = Page()\n\n\ndef show("
    code = CODE.replace("def show(", other)
    for name, text in {"start": LITERAL, "sent": SENT, "arrive": ANEW, "first": "pass", "begin": "pass"}.items():
        code = code.replace(f"{{{name}}}", text)
    code = code.replace("{change}", "page = Page()\n    page.style['mark'] = '*'").replace("{later}", "pass")
    assert worst(migrated(tmp_path, code)) is Verdict.READY


RECORDS = """\
import multiprocessing as mp


class Calibration:
    def __init__(self, offset=0):
        self.offset = {kept}


class Model:
    def __init__(self):
        self.weights = {{}}
        self.calibration = Calibration()

    def calibrate(self, offset):
        self.calibration = Calibration(offset)
        return self

    def forget(self):
        self.calibration = {again}

    def predict(self, key):
        return self.weights.get(key, 0) + self.calibration.offset

    def __getstate__(self):
        state = dict(self.__dict__)
        {sent}
        return state

    def __setstate__(self, state):
        self.__dict__.update(state)
        {arrive}


def score(model):
    {begin}
    print(model.predict("a"))


def main():
    model = Model()
    {change}
    worker = mp.Process(target=score, args=(model,))
    worker.start()
    worker.join()


if __name__ == "__main__":
    main()
"""
RECORD = {
    "kept": "offset",
    "again": "Calibration()",
    "sent": 'del state["calibration"]',
    "arrive": "self.calibration = Calibration()",
    "begin": "pass",
    "change": "model.calibrate(10)",
}


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"change": "model = model.calibrate(10)"},
        {"change": "model.calibration = Calibration(10)"},
        {"change": "model.calibration.offset = 10"},
        {"sent": 'state.pop("calibration")', "arrive": "self.calibration = Calibration(offset=1)"},
    ],
)
def test_a_record_that_arrives_new(changed: dict[str, str], tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, RECORDS.format(**{**RECORD, **changed}))) is Verdict.CHANGES


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"change": "pass"}, id="nobody changes it"),
        pytest.param({"change": "model.forget()"}, id="made as new by main, too"),
        pytest.param({"sent": "pass", "arrive": "pass"}, id="sent"),
        pytest.param({"begin": "model.calibrate(10)"}, id="the worker sets it, too"),
        pytest.param({"kept": "open('log.txt')"}, id="no data"),
    ],
)
def test_a_record_that_need_not_be_sent(changed: dict[str, str], tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, RECORDS.format(**{**RECORD, **changed}))) is Verdict.READY
