"""Settings that workers read from a file themselves, and store by the names that stand there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import lint_files

CONFIG = """\
import json
import sys
from time import strftime


class _Config:
    _paths = ()

    @classmethod
    def load(cls, values):
        for key, value in values.items():
            if hasattr(cls, key):
                setattr(cls, key, value)
        cls.init()


class execution(_Config):
    run = strftime("%Y%m%d-%H%M%S")
    folder = "."
    links = {}

    @classmethod
    def init(cls):
        cls.links["here"] = cls.folder


def load(file):
    for name, values in json.load(open(file)).items():
        section = getattr(sys.modules[__name__], name)
        section.load(values)
"""
MAIN = """\
import multiprocessing as mp

import config


def work(file):
    config.load(file)
    print(config.execution.folder, config.execution.links["here"], config.execution.run)


def main():
    config.execution.folder = "/data"
    config.execution.init()
    print(config.execution.run)
    process = mp.Process(target=work, args=("settings.json",))
    process.start()
    process.join()


if __name__ == "__main__":
    main()
"""
LOADING = "    config.load(file)\n"
PLAIN = "        section = getattr(sys.modules[__name__], name)\n        section.load(values)\n"


def _codes(tmp_path: Path, config: str = CONFIG, main: str = MAIN) -> set[str]:
    return {each.code for each in lint_files(tmp_path, {"config.py": config, "main.py": main})}


def test_what_workers_never_load_is_as_at_import(tmp_path: Path) -> None:
    assert _codes(tmp_path, main=MAIN.replace(LOADING, "")) >= {"LP210", "LP214"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(PLAIN, PLAIN, id="of a class that is chosen by its name"),
        pytest.param(PLAIN, "        getattr(sys.modules[__name__], name).load(values)\n", id="at once"),
        pytest.param(PLAIN, "        execution.load(values)\n", id="of a class that is named"),
        pytest.param(
            PLAIN,
            "        for key, value in values.items():\n            setattr(globals()[name], key, value)\n",
            id="by a function",
        ),
    ],
)
def test_what_workers_load_by_name_may_be_as_in_main(tmp_path: Path, old: str, new: str) -> None:
    assert not _codes(tmp_path, CONFIG.replace(old, new)) & {"LP208", "LP210", "LP214"}


@pytest.mark.parametrize(
    "new",
    [
        pytest.param('        print(getattr(sys.modules[__name__], "execution"))\n', id="nothing is called of it"),
        pytest.param("        print(getattr(execution, name).format(1))\n", id="a method that the class does not have"),
    ],
)
def test_other_things_chosen_by_name(tmp_path: Path, new: str) -> None:
    assert _codes(tmp_path, CONFIG.replace(PLAIN, new)) >= {"LP210", "LP214"}


STORING = """\
    def __init__(self, values):
        for key in values:
            setattr(self, key, values[key])
"""


def test_attributes_of_objects_are_not_those_of_the_class(tmp_path: Path) -> None:
    config = CONFIG.replace("    _paths = ()\n", STORING)
    main = MAIN.replace(LOADING, "    print(config.execution({'a': 1}))\n")
    assert _codes(tmp_path, config, main) >= {"LP210", "LP214"}
