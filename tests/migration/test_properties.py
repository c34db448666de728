"""A process is given what a property of an object reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict
from tests.migration.test_migrate import migrated

_RUNNER = """\
import multiprocessing

import somelib


def work(name):
    print(name)


class Runner:
    def __init__(self, uri):
        self.uri = uri

    @property
    def parts(self):
        return somelib.parts(self.uri)

    @property
    def name(self):
        parts = self.parts
        if not parts:
            return None
        return {returned}

    def run(self):
        multiprocessing.Process(target=work, args=(self.name,)).start()


if __name__ == "__main__":
    Runner("tests.py").run()
"""


@pytest.mark.parametrize("returned", ['".".join(parts)', "str(parts)", '"tests"', "len(parts) * 2"])
def test_plain_data_is_ready(returned: str, tmp_path: Path) -> None:
    [boundary] = migrated(tmp_path, runner=_RUNNER.format(returned=returned)).boundaries
    assert boundary.verdict is Verdict.READY, boundary.gaps


@pytest.mark.parametrize("returned", ["somelib.name(parts)", "somelib.parts(self.uri).owner"])
def test_what_is_not_known_is_where_the_property_gives_it(returned: str, tmp_path: Path) -> None:
    [boundary] = migrated(tmp_path, runner=_RUNNER.format(returned=returned)).boundaries
    assert boundary.verdict is Verdict.CANNOT_TELL
    assert all("no code is seen that sets" not in gap.message for gap in boundary.gaps)


def test_an_attribute_that_nothing_sets_is_told(tmp_path: Path) -> None:
    text = _RUNNER.format(returned="None").replace("(self.name,)", "(self.title,)")
    [boundary] = migrated(tmp_path, runner=text).boundaries
    assert [gap.message for gap in boundary.gaps] == [
        "what `args[0]` is, is not known: no code is seen that sets `self.title`"
    ]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("somelib.connect().name", Verdict.CANNOT_TELL),
        ("somelib.parser().parse_args().name", Verdict.READY),
        ("pathlib.Path('a').name", Verdict.READY),
        ("somelib.NAME", Verdict.READY),
    ],
)
def test_an_attribute_of_what_a_library_gives_is_no_better_known(given: str, expected: Verdict, tmp_path: Path) -> None:
    text = _RUNNER.format(returned="None").replace("(self.name,)", f"({given},)")
    [boundary] = migrated(tmp_path, runner=f"import pathlib\n{text}").boundaries
    assert boundary.verdict is expected
