"""Results that only a reducer can pickle which the main process alone registers (`migrate`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

BUFFERS = """\
import copyreg
import multiprocessing as mp
import types

{top}

def rebuild(data):
    return memoryview(data)


def reduce_view(view):
    return rebuild, (bytes(view),)


def register():
    copyreg.pickle({type}, reduce_view)


def cut(n):
    {first}
    data = bytes(range(n))
    return {made}


def main():
    {main}
    with mp.Pool(2{pool}) as pool:
        for view in pool.map(cut, [4, 6]):
            print(len(view))


if __name__ == "__main__":
    main()
"""
FORM = {
    "top": "",
    "type": "memoryview",
    "first": "pass",
    "made": "memoryview(data)",
    "main": "register()",
    "pool": "",
}


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({}, id="a view"),
        pytest.param({"made": "memoryview(data)[n // 2:]"}, id="a slice of it"),
        pytest.param({"main": "copyreg.pickle(memoryview, reduce_view)"}, id="in main itself"),
        pytest.param({"type": "types.MappingProxyType", "made": "types.MappingProxyType({1: n})"}, id="another type"),
    ],
)
def test_results_that_only_a_reducer_of_main_can_pickle_break(changed: dict[str, str], tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, BUFFERS.format(**{**FORM, **changed}))) is Verdict.BREAKS


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"top": "copyreg.pickle(memoryview, bytes)", "main": "pass"}, id="registered at import"),
        pytest.param({"first": "register()"}, id="the worker registers it, too"),
        pytest.param({"pool": ", initializer=register"}, id="an initializer does"),
        pytest.param({"made": "memoryview(data)[0:2].tolist()"}, id="a list"),
        pytest.param({"made": "bytes(memoryview(data))"}, id="bytes"),
        pytest.param({"made": "data[1:]"}, id="a slice of bytes"),
    ],
)
def test_results_that_workers_can_pickle_are_ready(changed: dict[str, str], tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, BUFFERS.format(**{**FORM, **changed}))) is Verdict.READY


OBJECTS = """\
import copyreg
import multiprocessing as mp


class Scanner:
    def __init__(self, words):
        self.words = tuple(words)
        self._held = {held}
    {hook}


def reduce_scanner(scanner):
    return Scanner, (scanner.words,)


def enable():
    copyreg.pickle({type}, reduce_scanner)


def setup():
    enable()


def learn(text):
    {first}
    return Scanner(text.split())


def main():
    setup()
    with mp.Pool(2{pool}) as pool:
        for scanner in pool.map(learn, ["red green", "oak"]):
            print(scanner.words)


if __name__ == "__main__":
    main()
"""
OBJECT = {"held": "(w for w in words)", "hook": "pass", "type": "Scanner", "first": "pass", "pool": ""}


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({}, id="a generator"),
        pytest.param({"held": "lambda: words"}, id="a function that is no name's"),
    ],
)
def test_objects_that_only_a_reducer_of_main_can_pickle_break(changed: dict[str, str], tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, OBJECTS.format(**{**OBJECT, **changed}))) is Verdict.BREAKS


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"held": "list(words)"}, id="holds what can be pickled"),
        pytest.param({"first": "enable()"}, id="the worker registers it, too"),
        pytest.param({"pool": ", initializer=setup"}, id="an initializer does"),
        pytest.param(
            {"hook": "def __reduce__(self):\n        return Scanner, (self.words,)"}, id="a method of its own"
        ),
    ],
)
def test_objects_that_workers_can_pickle_are_ready(changed: dict[str, str], tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, OBJECTS.format(**{**OBJECT, **changed}))) is Verdict.READY
