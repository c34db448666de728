"""LP210: registries that modules of a package fill, which the package imports by its own name and names that are known
only as the program runs, in a function that the main process alone calls."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import lint_files

REGISTRY = """\
_handlers = {}


def command(name):
    def note(function):
        _handlers[name] = function
        return function
    return note


def dispatch(message):
    handler = _handlers.get(message)
    if handler is None:
        return "unknown"
    return handler(message)
"""
PLUGIN = "from ..registry import command\n\n\n@command('count')\ndef count(text):\n    return len(text)\n"
PACKAGE = """\
import importlib


def load_all(names):
    for name in names:
        {load}
{more}"""
RUN = """\
import json
import multiprocessing
from concurrent.futures import ProcessPoolExecutor

from bot import plugins, registry
{at_import}

def answer(text):
    {first}
    return registry.dispatch(text)


class Bot:
    def __init__(self, config):
        {main}
        context = multiprocessing.get_context({method!r})
        self.pool = ProcessPoolExecutor(2, mp_context=context{begin})

    def serve(self, inbox):
        print([self.pool.submit({task}, each).result() for each in inbox])


if __name__ == "__main__":
    with open("bot.json") as file:
        Bot(json.load(file)).serve(["count"])
"""
LOAD = 'importlib.import_module(f"{__name__}.{name}")'
LOAD_ALL = "plugins.load_all(config['plugins'])"


def found(
    folder: Path,
    load: str = LOAD,
    more: str = "",
    at_import: str = "",
    first: str = "pass",
    main: str = LOAD_ALL,
    method: str = "spawn",
    begin: str = "",
    task: str = "registry.dispatch",
) -> list[str]:
    run = RUN.format(at_import=at_import, first=first, main=main, method=method, begin=begin, task=task)
    files = {
        "run.py": run,
        "bot/__init__.py": "",
        "bot/registry.py": REGISTRY,
        "bot/plugins/__init__.py": PACKAGE.format(load=load, more=more),
        "bot/plugins/words.py": PLUGIN,
    }
    return [each.code for each in lint_files(folder, files) if each.code == "LP210"]


@pytest.mark.parametrize(
    "load",
    [
        LOAD,
        'importlib.import_module(__name__ + "." + name)',
        'importlib.import_module("%s.%s" % (__name__, name))',
        'importlib.import_module("{}.{}".format(__package__, name))',
        'importlib.import_module(f".{name}", __name__)',
        'importlib.import_module("." + name, package=__package__)',
    ],
)
def test_what_main_alone_imports_is_missing(load: str, tmp_path: Path) -> None:
    assert found(tmp_path, load) == ["LP210"]


@pytest.mark.parametrize(
    "given",
    [
        pytest.param({"at_import": "plugins.load_all(['words'])\n"}, id="the script loads at import"),
        pytest.param({"at_import": "import bot.plugins.words\n"}, id="the script imports it"),
        pytest.param({"more": "\n\nload_all(['words'])\n"}, id="the package loads at import"),
        pytest.param({"more": "\n\ndef load():\n    load_all(['words'])\n\n\nload()\n"}, id="by another function"),
        pytest.param({"first": "plugins.load_all(['words'])", "task": "answer"}, id="the task loads"),
        pytest.param({"begin": ", initializer=plugins.load_all, initargs=(['words'],)"}, id="workers begin so"),
        pytest.param({"main": "pass"}, id="nobody loads"),
        pytest.param({"method": "fork"}, id="forked"),
        pytest.param({"load": 'print(f"{__name__}.{name}")'}, id="imports nothing"),
    ],
)
def test_what_workers_have_or_nobody_is_seen_to_load_is_left_alone(given: dict[str, str], tmp_path: Path) -> None:
    assert found(tmp_path, **given) == []
