"""LP210: registries that are filled by modules which only the main process imports."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver

REGISTRY = """\
import importlib

READERS = {}


def reader(kind):
    def note(function):
        READERS[kind] = function
        return function
    return note


def load(names):
    for name in names:
        importlib.import_module(name)
"""
PLUGIN = "from registry import reader\n\n\n@reader('csv')\ndef read_csv(path):\n    return path\n"
RUN = """\
import multiprocessing
import registry
{imports}


def work(path):
    {read}


def main(paths):
    {loads}
    with multiprocessing.Pool(2{options}) as pool:
        print(pool.map(work, paths))


if __name__ == "__main__":
    main(["a.csv"])
"""
READ = "return registry.READERS['csv'](path)"


def found(
    folder: Path,
    loads: str,
    read: str = READ,
    options: str = "",
    imports: str = "",
    *,
    registry: str = REGISTRY,
    plugin: str = PLUGIN,
) -> list[str]:
    run = RUN.format(loads=loads, read=read, options=options, imports=imports)
    for name, text in {"registry.py": registry, "csv_plugin.py": plugin, "run.py": run}.items():
        (folder / name).write_text(text)
    outcome = lint_paths([str(folder)], resolver=SettingsResolver(isolated=True))
    return [each.code for each in outcome.diagnostics]


@pytest.mark.parametrize("loads", ["registry.load(['csv_plugin'])", "import csv_plugin"])
def test_a_plugin_that_main_imports(tmp_path: Path, loads: str) -> None:
    assert found(tmp_path, loads) == ["LP210"]


@pytest.mark.parametrize(
    ("loads", "read", "options", "imports"),
    [
        pytest.param("registry.load(['csv_plugin'])", READ, "", "import csv_plugin", id="imported at once"),
        pytest.param("pass", READ, "", "", id="imported by nobody that is seen"),
        pytest.param("import csv_plugin", f"import csv_plugin\n    {READ}", "", "", id="by the worker, too"),
        pytest.param(
            "registry.load(['csv_plugin'])", READ, ", registry.load, (['csv_plugin'],)", "", id="by an initializer"
        ),
        pytest.param("import csv_plugin", "return registry.load(['csv_plugin']) or path", "", "", id="not read"),
    ],
)
def test_plugins_that_workers_have(tmp_path: Path, loads: str, read: str, options: str, imports: str) -> None:
    assert found(tmp_path, loads, read, options, imports) == []


PACKAGE = {
    "formats/__init__.py": "import importlib\n\nfrom formats.registry import get\n\n\n"
    "def enable(*names):\n    for name in names:\n        importlib.import_module({put_in})\n{after}",
    "formats/registry.py": "FORMATS = {}\n\n\ndef register(name):\n    def note(made):\n        FORMATS[name] = made\n"
    "        return made\n    return note\n\n\ndef get(name):\n    try:\n        return FORMATS[name]\n"
    "    except KeyError:\n        raise LookupError(name) from None\n",
    "formats/markdown.py": "from formats.registry import register\n\n\n"
    "@register('md')\ndef write(rows):\n    return '|'\n",
    "run.py": "import json\nfrom multiprocessing import Pool\n\nimport formats\n\n\ndef work(job):\n    {work}\n\n\n"
    "def main():\n    config = json.load(open('jobs.json'))\n    {main}\n    with Pool(2{options}) as pool:\n"
    "        print(pool.map(work, config['jobs']))\n\n\nif __name__ == '__main__':\n    main()\n",
}


def found_in_package(folder: Path, **parts: str) -> list[str]:
    given = {
        "put_in": 'f"formats.{name}"',
        "after": "",
        "work": "return formats.get(job)([])",
        "main": "formats.enable(*config['plugins'])",
        "options": "",
    } | parts
    for name, text in PACKAGE.items():
        for key, value in given.items():
            text = text.replace(f"{{{key}}}", value)
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    outcome = lint_paths([str(folder)], resolver=SettingsResolver(isolated=True))
    return [each.code for each in outcome.diagnostics]


@pytest.mark.parametrize(
    "put_in",
    [
        'f"formats.{name}"',
        "'formats.' + name",
        "'formats.%s' % name",
        "'formats.{}'.format(name)",
    ],
)
def test_a_name_that_main_has_put_together(tmp_path: Path, put_in: str) -> None:
    assert found_in_package(tmp_path, put_in=put_in) == ["LP210"]


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param({"main": "pass"}, id="nobody calls it"),
        pytest.param({"after": "\n\nenable('markdown')\n"}, id="called at import"),
        pytest.param({"work": "formats.enable('markdown')\n    return formats.get(job)([])"}, id="by the worker, too"),
        pytest.param({"options": ", formats.enable, config['plugins']"}, id="by an initializer"),
        pytest.param({"work": "return job"}, id="not read"),
        pytest.param({"put_in": 'f"others.{name}"'}, id="of another package"),
        pytest.param({"after": "\n\nfrom formats import markdown\n"}, id="imported with the package"),
    ],
)
def test_names_put_together_for_workers_or_nobody(tmp_path: Path, parts: dict[str, str]) -> None:
    assert found_in_package(tmp_path, **parts) == []


LOADED = {
    "registry.py": "import importlib\n\nFILTERS = {}\nBUILTIN = ('basic',)\n\n\ndef register(name):\n"
    "    def note(made):\n        FILTERS[name] = made\n        return made\n    return note\n\n\n"
    "def load(names):\n    for name in names:\n        importlib.import_module(name)\n\n\n"
    "def unchanged(samples):\n    return samples\n\n\ndef resolve(name):\n    {resolve}\n",
    "basic.py": "from registry import register\n\n\n@register('clip')\ndef clip(samples):\n    return samples[:3]\n",
    "engine.py": "from multiprocessing import Pool\n\nfrom registry import load, resolve\n\n\n"
    "def work(name):\n    return resolve(name)([1, 2])\n\n\ndef run(names):\n    with Pool(2{options}) as pool:\n"
    "        return pool.map(work, names)\n",
    "main.py": "import argparse\n\nfrom engine import run\nfrom registry import load\n{imports}\n\n\ndef main():\n"
    "    parser = argparse.ArgumentParser()\n    parser.add_argument('--plugins', nargs='*', default=['basic'])\n"
    "    args = parser.parse_args()\n    {load}\n    print(run(['clip']))\n\n\n"
    "if __name__ == '__main__':\n    main()\n",
}


def found_with_defaults(folder: Path, pedantic: bool = False, **parts: str) -> list[str]:
    given = {
        "resolve": "return FILTERS.get(name, unchanged)",
        "options": "",
        "imports": "",
        "load": "load(args.plugins)",
    } | parts
    for name, text in LOADED.items():
        for key, value in given.items():
            text = text.replace(f"{{{key}}}", value)
        (folder / name).write_text(text)
    outcome = lint_paths([str(folder)], resolver=SettingsResolver(isolated=True, overrides={"pedantic": pedantic}))
    return [each.code for each in outcome.diagnostics]


@pytest.mark.parametrize("resolve", ["return FILTERS.get(name, unchanged)", "return FILTERS[name]"])
def test_plugins_that_the_script_names_and_workers_lack(tmp_path: Path, resolve: str) -> None:
    assert found_with_defaults(tmp_path, resolve=resolve) == ["LP210"]


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(
            {"resolve": "load(BUILTIN)\n    return FILTERS.get(name, unchanged)"}, id="loaded where it is read"
        ),
        pytest.param({"options": ", load, (['basic'],)"}, id="by an initializer"),
        pytest.param({"imports": "load(['basic'])"}, id="as the script begins"),
        pytest.param({"imports": "import basic"}, id="by a statement of the script"),
        pytest.param({"resolve": "import basic\n    return FILTERS.get(name, unchanged)"}, id="by a statement there"),
    ],
)
def test_plugins_that_workers_load_themselves(tmp_path: Path, parts: dict[str, str]) -> None:
    assert found_with_defaults(tmp_path, pedantic=True, **parts) == []
