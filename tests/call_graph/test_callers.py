"""Who calls a function, where the call and the function stand in different files."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths, lint_source
from lintpickle.settings import SettingsResolver
from tests.support import lint

BASE = '''\
"""A text that is longer than the other file, so that places of one are none of the other: the class that it defines is
derived from there, and objects of that are made by the constructor that stands here."""
from torch.utils.data import DataLoader


def load(dataset, collate):
    return DataLoader(dataset, num_workers=2, collate_fn=collate)


class Trainer:
    def __init__(self, dataset, parallel, collate):
        if parallel:
            self.loader = load(dataset, collate)
'''
DERIVED = """\
from base import Trainer


class Mine(Trainer):
    pass


def main():
    Mine([1], False, lambda batch: 1)
    Mine([1], True, lambda batch: 2)
"""


def test_an_inherited_constructor_is_read_in_its_own_module(tmp_path: Path) -> None:
    (tmp_path / "base.py").write_text(BASE, encoding="utf-8")
    (tmp_path / "derived.py").write_text(DERIVED, encoding="utf-8")
    found = lint_paths([str(tmp_path)], resolver=SettingsResolver(cwd=tmp_path)).diagnostics
    places = [(Path(each.location.path).name, each.location.start.row, each.code) for each in found]
    assert places == [("derived.py", 10, "LP201")]


TEMPLATE = """\
import multiprocessing
import threading


class Spawner:
    def __init__(self, path):
        self.log = {log}

    def accept(self, connection):
        task = self._start_task(target=self._loop, args=(connection,), name="task")
        task.start()

    def _loop(self, connection):
        print(connection)

    def _start_task(self, *args, **kwargs):
        raise NotImplementedError


class Threaded(Spawner):
    def _start_task(self, *args, **kwargs):
        return threading.Thread(*args, **kwargs)


class {processes}(Spawner):
    def _start_task(self, *args, **kwargs):
        return {start}(*args, **kwargs)
"""


def test_an_inherited_method_calls_what_the_class_puts_in_its_place(tmp_path: Path) -> None:
    text = TEMPLATE.format(log="open(path)", processes="Processes", start="multiprocessing.Process")
    assert _found(tmp_path, text) == [("LP110", 7)]


def test_an_inherited_method_of_harmless_classes(tmp_path: Path) -> None:
    threads = TEMPLATE.format(log="open(path)", processes="Daemons", start="threading.Thread")
    assert not _found(tmp_path, threads)
    plain = TEMPLATE.format(log="path", processes="Processes", start="multiprocessing.Process")
    assert not _found(tmp_path, plain)


def _found(folder: Path, text: str) -> list[tuple[str, int]]:
    (folder / "server.py").write_text(text, encoding="utf-8")
    found = lint_paths([str(folder)], resolver=SettingsResolver(cwd=folder)).diagnostics
    return [(each.code, each.location.start.row) for each in found]


ONE_OF_SEVERAL = """\
import multiprocessing as mp


def apply(function, queue):
    queue.put(function(1))


def parallel(function, rows):
    queue = mp.Queue()
    for _ in rows:
        mp.Process(target=apply, args=(function, queue)).start()
    return [queue.get() for _ in rows]


ROWS = (1, 2)


def total(scale, processes=False):
    def scaled(row):
        return row * scale

    {}


def main(given):
    {}


if __name__ == "__main__":
    main(input())
"""
CHOOSING = {
    "in the call": "return list((parallel if processes else map)(scaled, ROWS))",
    "before": "run = parallel if processes else map\n    return list(run(scaled, ROWS))",
    "by a branch": "if processes:\n        return parallel(scaled, ROWS)\n    return list(map(scaled, ROWS))",
}


@pytest.mark.parametrize("call", CHOOSING.values(), ids=CHOOSING)
@pytest.mark.parametrize("total", ["total(3, given)", "total(3)\n    total(4, given)", "total(*given)"])
def test_a_function_that_is_called_by_an_option_is_likely(call: str, total: str) -> None:
    (found,) = lint(ONE_OF_SEVERAL.format(call, total)).diagnostics
    assert (found.code, found.confidence.value) == ("LP103", "likely")


@pytest.mark.parametrize("call", CHOOSING.values(), ids=CHOOSING)
def test_a_function_that_is_called_by_an_option_that_nobody_turns_on_is_possible(call: str) -> None:
    text = ONE_OF_SEVERAL.format(call, "total(3)\n    total(given, processes=False)")
    assert lint(text).diagnostics == ()
    resolver = SettingsResolver(isolated=True, overrides={"pedantic": True})
    found = lint_source(text, "example.py", resolver=resolver).diagnostics
    assert [(each.code, each.confidence.value) for each in found] == [("LP103", "possible")]


def test_a_function_that_is_called_whatever_comes_is_certain() -> None:
    text = ONE_OF_SEVERAL.format("return parallel(scaled, ROWS)", "total(3)")
    assert [found.confidence.value for found in lint(text).diagnostics] == ["certain"]


@pytest.mark.parametrize("call", CHOOSING.values(), ids=CHOOSING)
def test_a_function_that_is_never_called(call: str) -> None:
    text = ONE_OF_SEVERAL.format(f"processes = 0\n    {call}", "total(3, given)")
    assert lint(text).diagnostics == ()
