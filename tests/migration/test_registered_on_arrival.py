"""Objects that register themselves as they are unpickled: workers have what arrives. Measured with CPython 3.11."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

PROGRAM = """\
import functools
import multiprocessing

PLUGINS = {{}}
CURRENT = None


def activate(name, factor):
    global CURRENT
    CURRENT = Plugin(name, factor)
    return CURRENT


class Plugin:
    def __init__(self, name, factor):
        self.name = name
        self.factor = factor
        PLUGINS[name] = self

    {hook}


def work(plugin, value):
    return {reads}


def alone(value):
    return {reads}


def main():
    plugin = {made}
    with multiprocessing.Pool(2) as pool:
        print({runs})


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
"""
STATE = """def __setstate__(self, state):
        self.__dict__.update(state)
        PLUGINS[self.name] = self
"""
CLASS_METHOD = """@classmethod
    def make(cls, name, factor):
        return cls(name, factor)

    def __reduce__(self):
        return Plugin.make, (self.name, self.factor)
"""
PLAIN = "def __setstate__(self, state):\n        self.__dict__.update(state)\n"
REDUCE = "def __reduce__(self):\n        return {}, (self.name, self.factor)\n"
MADE, SHIPPED = 'Plugin("scale", 3)', "pool.starmap(work, [(plugin, 2), (plugin, 5)])"
BY_KEY = 'PLUGINS["scale"].factor * value'


def said(folder: Path, hook: str, reads: str = BY_KEY, made: str = MADE, runs: str = SHIPPED) -> Verdict:
    return worst(migrated(folder, PROGRAM.format(hook=hook, reads=reads, made=made, runs=runs)))


@pytest.mark.parametrize(
    "hook",
    [
        pytest.param(STATE, id="as it gets its state"),
        pytest.param(REDUCE.format("Plugin"), id="by its class"),
        pytest.param(REDUCE.format("type(self)"), id="by its own class"),
        pytest.param(REDUCE.replace("__reduce__(self)", "__reduce_ex__(self, protocol)").format("Plugin"), id="by ex"),
        pytest.param(CLASS_METHOD, id="by a class method"),
        pytest.param(REDUCE.format("functools.partial(Plugin)"), id="by a partial"),
        pytest.param(REDUCE.format("activate"), id="by a function that makes it"),
    ],
)
def test_workers_have_what_arrives(hook: str, tmp_path: Path) -> None:
    assert said(tmp_path, hook) is Verdict.READY


@pytest.mark.parametrize("reads", ['PLUGINS.get("scale").factor', "PLUGINS[plugin.name].factor"])
def test_however_they_ask_for_it(reads: str, tmp_path: Path) -> None:
    assert said(tmp_path, STATE, reads) is Verdict.READY


def test_a_global_that_is_set_on_arrival(tmp_path: Path) -> None:
    made, reads = 'activate("scale", 3)', "CURRENT.factor"
    assert said(tmp_path, REDUCE.format("activate"), reads, made) is Verdict.READY
    assert said(tmp_path, PLAIN, reads, made) is Verdict.BREAKS


@pytest.mark.parametrize("hook", ["pass", PLAIN])
def test_without_such_a_hook_nothing_is_there(hook: str, tmp_path: Path) -> None:
    assert said(tmp_path, hook) is Verdict.BREAKS


@pytest.mark.parametrize("hook", [STATE, REDUCE.format("Plugin")])
def test_what_does_not_arrive_is_not_there(hook: str, tmp_path: Path) -> None:
    assert said(tmp_path, hook, runs="pool.map(alone, [2, 5])") is not Verdict.READY


def test_who_counts_them_may_miss_some(tmp_path: Path) -> None:
    assert said(tmp_path, STATE, "len(PLUGINS) * value") is not Verdict.READY
