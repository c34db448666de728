"""What `migrate` says of objects that keep a method of a text. What is said follows what programs of the kind do
under fork and spawn (CPython 3.11)."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

MONITOR = """\
import multiprocessing

TEMPLATE = "row {{}}"


class Monitor:
    def __init__(self, template):
        self.show = {kept}

    def watch(self, values):
        print([self.show(value) for value in values])


def main():
    {first}
    monitor = Monitor({given})
    process = multiprocessing.Process(target=monitor.watch, args=([1, 2],))
    process.start()


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("kept", "given"),
    [
        pytest.param("template.format", '"high: {}"', id="what it is given"),
        pytest.param("TEMPLATE.format", "None", id="of the module"),
        pytest.param('f"{template}: {{}}".format', '"high"', id="an f-string"),
        pytest.param("template.__mod__", '"%d"', id="a special method"),
    ],
)
def test_methods_of_texts_cross(tmp_path: Path, kept: str, given: str) -> None:
    code = MONITOR.format(first="pass", kept=kept, given=given)
    assert worst(migrated(tmp_path, code)) is Verdict.READY


def test_methods_of_files_are_not_known(tmp_path: Path) -> None:
    # gap: it breaks: TypeError: cannot pickle '_io.TextIOWrapper' object
    code = MONITOR.format(first="log = open('log.txt', 'w')", kept="template.write", given="log")
    assert worst(migrated(tmp_path, code)) is Verdict.CANNOT_TELL


@pytest.mark.parametrize(
    ("first", "given"),
    [
        pytest.param("from elsewhere import load", "load()", id="what is not read"),
        pytest.param("pass", "3", id="no such method"),
    ],
)
def test_what_else_it_may_be_is_not_known(tmp_path: Path, first: str, given: str) -> None:
    code = MONITOR.format(first=first, kept="template.render", given=given)
    assert worst(migrated(tmp_path, code)) is Verdict.CANNOT_TELL
