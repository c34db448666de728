"""Registries that modules fill at import: workers import the module of a class to unpickle an object of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict
from tests.migration.test_migrate import migrated
from tests.support import changed

_CODEC = """\
class Codec:
    known = {}

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        Codec.known[cls.__name__] = cls

    def encode(self, text):
        return text


def named(name):
    return Codec.known[name]()
"""
_PLUGIN = """\
from codec import Codec


class Upper(Codec):
    def encode(self, text):
        return text.upper()


class Reverse(Codec):
    def encode(self, text):
        return text[::-1]
"""
_OTHER = """\
from codec import Codec


class Doubled(Codec):
    def encode(self, text):
        return text * 2
"""
_PROGRAM = """\
import importlib
import multiprocessing

from codec import Codec, named


class Job:
    def __init__(self, codec, fallback):
        self.codec = codec
        self.fallback = fallback


def work(job, text):
    print(job.codec.encode(text), named(job.fallback).encode(text))


def main():
    importlib.import_module("plugin")
    job = Job(named("Upper"), "Reverse")
    worker = multiprocessing.Process(target=work, args=(job, "hello"))
    worker.start()
    worker.join()


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
"""


def said(folder: Path, program: str, **others: str) -> Verdict:
    [found] = migrated(folder, program=program, codec=_CODEC, plugin=_PLUGIN, **others).boundaries
    return found.verdict


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(_PROGRAM, id="in an object that is passed"),
        pytest.param(
            changed(_PROGRAM, ('job = Job(named("Upper"), "Reverse")', 'job = Job("Upper", "Reverse")'))
            .replace("args=(job,", 'args=(named("Upper"), job,')
            .replace("def work(job,", "def work(codec, job,")
            .replace("job.codec.encode", "codec.encode"),
            id="passed itself",
        ),
    ],
)
def test_the_module_of_an_object_is_imported(program: str, tmp_path: Path) -> None:
    assert said(tmp_path, program) is Verdict.READY


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(changed(_PROGRAM, ('named("Upper")', "Codec()")), id="an object of another module"),
        pytest.param(
            changed(_PROGRAM, ('Job(named("Upper")', 'Job("Upper"'), ("job.codec.encode", "named(job.codec).encode")),
            id="only its name is passed",
        ),
    ],
)
def test_nothing_imports_it(program: str, tmp_path: Path) -> None:
    assert said(tmp_path, program) is Verdict.BREAKS


def test_of_one_of_several_modules_it_is_not_known(tmp_path: Path) -> None:
    program = changed(_PROGRAM, ('("plugin")', '("plugin")\n    importlib.import_module("other")'))
    assert said(tmp_path, program, other=_OTHER) is not Verdict.READY
