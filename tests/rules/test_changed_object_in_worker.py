"""LP210: changed-object-in-worker."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.diagnostics import Confidence
from lintpickle.settings import SettingsResolver
from tests.pages import PageTests
from tests.rules.worker_functions import codes
from tests.support import lint, marks


class TestPage(PageTests):
    code = "LP210"


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            "N = [1]\nN.append(2)\ndef g():\n    return N\ndef main():\n    mp.Process(target=g)\n",
            id="extended at import",
        ),
        pytest.param(
            "N = [1]\ndef g():\n    return N\ndef add():\n    N.append(2)\ndef main():\n    mp.Process(target=g)\n",
            id="extended by a function that nobody calls",
        ),
        pytest.param(
            "N = [1]\ndef add():\n    N.append(2)\ndef g():\n    add()\n    return N\n"
            "def main():\n    add()\n    mp.Process(target=g)\n",
            id="extended in the worker, too",
        ),
        pytest.param(
            "N = [1]\ndef g():\n    return N\ndef main():\n    N.append(2)\n"
            "    mp.get_context('fork').Process(target=g)\n",
            id="forked",
        ),
        pytest.param(
            "N = [1]\ndef g():\n    return 1\ndef main():\n    N.append(2)\n    mp.Process(target=g)\n",
            id="no worker reads it",
        ),
        pytest.param(
            "N = [1]\ndef g():\n    return N\ndef main():\n    N = [2]\n    N.append(3)\n    mp.Process(target=g)\n",
            id="a variable of that name",
        ),
        pytest.param(
            "class S:\n    def __init__(self):\n        self.a = 1\n        self.b = 1\nT = S()\n"
            "def g():\n    return T.a\ndef main():\n    T.b = 2\n    mp.Process(target=g)\n",
            id="another attribute",
        ),
        pytest.param(
            "N = {'a': 1}\ndef g(k):\n    if k not in N:\n        N[k] = 1\n    return N[k]\n"
            "def main():\n    g('b')\n    mp.Process(target=g)\n",
            id="a cache",
        ),
        pytest.param(
            "class S:\n    rates = {}\n    @classmethod\n    def install(cls, rates):\n"
            "        cls.rates = dict(rates)\n"
            "    @classmethod\n    def rate(cls, k):\n        return cls.rates[k]\n"
            "def g(k):\n    return S.rate(k)\n"
            "def main(rates):\n    S.install(rates)\n    with mp.Pool(2, S.install, (rates,)) as pool:\n"
            "        pool.map(g, rates)\n",
            id="a class method that is the initializer, too",
        ),
    ],
)
def test_objects_that_workers_have(body: str) -> None:
    assert codes(f"{body}if __name__ == '__main__':\n    main()\n") == []


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("N = [1]\ndef g():\n    return N\ndef main():\n    N.append(2)\n", id="a list"),
        pytest.param("N = {'a': 1}\ndef g():\n    return N['a']\ndef main():\n    N['a'] = 2\n", id="a dictionary"),
        pytest.param(
            "def N():\n    pass\ndef g():\n    N()\ndef main():\n    global N\n    N = print\n", id="a function"
        ),
        pytest.param(
            "class N:\n    k = {'a': 1}\n    @classmethod\n    def add(cls, x):\n        cls.k[x] = 1\n"
            "def g():\n    return N.k\ndef main():\n    N.add('b')\n",
            id="a class",
        ),
    ],
)
def test_objects_that_main_changes(body: str) -> None:
    start = "    mp.Process(target=g).start()\nif __name__ == '__main__':\n    main()\n"
    assert codes(body + start) == ["LP210"]


PARTS = """\
PARTS = {{}}


def add(name, part):
    PARTS[name] = part


def get(name):
    {get}
"""
USER = """\
import multiprocessing as mp
import more
import parts


def build(name):
    return parts.get(name)


def main(names):
    more.activate(names)
    with mp.Pool(2) as pool:
        return pool.map(build, names)


if __name__ == "__main__":
    main(["a"])
"""


@pytest.mark.parametrize(
    ("get", "shown"),
    [
        ("return PARTS[name]", True),
        ("print(name)\n    return PARTS[name] + 1", True),
        ("return PARTS.get(name)", False),
        ("return PARTS[name] if name in PARTS else None", False),
        ("try:\n        return PARTS[name]\n    except KeyError:\n        return None", False),
        ("return len(PARTS)", False),
    ],
)
def test_what_takes_an_item_of_an_empty_container_fails(get: str, shown: bool, tmp_path: Path) -> None:
    (tmp_path / "parts.py").write_text(PARTS.format(get=get))
    (tmp_path / "more.py").write_text(
        "import parts\n\n\ndef activate(names):\n    for name in names:\n        parts.add(name, 1)\n"
    )
    (tmp_path / "main.py").write_text(USER)
    found = lint_paths([str(tmp_path)], resolver=SettingsResolver(isolated=True, cwd=tmp_path)).diagnostics
    assert [each.code for each in found if each.confidence is Confidence.LIKELY] == ["LP210"] * shown


_CATALOG = """
class Catalog:
    _SETS = {}

    @staticmethod
    def register(name, make):
        Catalog._SETS[name] = make

    @staticmethod
    def get(name):
        return Catalog._SETS[name]()
"""
_COCO = """
from data.catalog import Catalog


def register_coco(name, folder):
    Catalog.register(name, lambda: [folder])
"""
_REGISTERING = """
from data.catalog import Catalog
from data.coco import register_coco


def register_all(root):
    for name in ("train", "val"):
        register_coco(name, root + name)


{then}
"""
_WORKING = """
import multiprocessing as mp

import data


def work(name):
    return data.Catalog.get(name)


def main():
    {first}
    with mp.get_context("spawn").Pool(2) as pool:
        print(pool.map(work, ["train"]))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("then", "first", "expected"),
    [("register_all('sets/')", "pass", []), ("", "data.register_all('sets/')", ["LP210"])],
    ids=["the package registers all when it is imported", "main does"],
)
def test_a_registry_that_a_chain_of_calls_fills(then: str, first: str, expected: list[str], tmp_path: Path) -> None:
    files = {
        "pyproject.toml": "[project]\nname = 'sets'\n",
        "data/__init__.py": _REGISTERING.format(then=then),
        "data/catalog.py": _CATALOG,
        "data/coco.py": _COCO,
        "train.py": _WORKING.format(first=first),
    }
    (tmp_path / "data").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    found = lint_paths([str(tmp_path)], resolver=SettingsResolver(isolated=True)).diagnostics
    shown = [each for each in found if each.confidence is not Confidence.POSSIBLE]
    assert sorted({each.code for each in shown}) == expected


SETTINGS = """\
import multiprocessing


class Settings:
    def __init__(self):
        self._values = {{"paths": 200, "rate": 0.5}}
        self.name = "defaults"

    def configure(self, **overrides):
        self._values.update(overrides)

    def title(self):
        return self.name.title()

    {getattr}


settings = Settings()


def simulate(number):
    return {read}


def main():
    {change}
    with multiprocessing.Pool(1) as pool:
        print(pool.map(simulate, [1, 2]))


if __name__ == "__main__":
    main()
"""
_LOOKS_UP = (
    "def __getattr__(self, name):\n        if name.startswith('_'):\n            raise AttributeError(name)\n"
    "        return self._values[name]"
)
_REFUSES = "def __getattr__(self, name):\n        raise AttributeError(name)"


@pytest.mark.parametrize(
    ("getattr_", "read", "change", "fires"),
    [
        (_LOOKS_UP, "number * settings.paths", "settings.configure(paths=5000)", True),
        (_LOOKS_UP, "number * settings.paths", "print(settings.rate)", False),
        (_LOOKS_UP, "settings.name * number", "settings.configure(paths=5000)", False),
        (_LOOKS_UP, "settings.title()", "settings.configure(paths=5000)", False),
        (
            "def __getattr__(self, name):\n        raise AttributeError(name)",
            "settings.paths",
            "settings.configure()",
            False,
        ),
    ],
)
def test_attributes_that_an_object_looks_up(getattr_: str, read: str, change: str, fires: bool) -> None:
    found = [code for _, code in marks(SETTINGS.format(getattr=getattr_, read=read, change=change))]
    assert found == (["LP210"] if fires else [])


SINGLETON = """
import argparse
import multiprocessing as mp


class Settings:
    _only = None

    def __new__(cls, values=None):
        if cls._only is None:
            cls._only = super().__new__(cls)
        cls._only.__dict__.update(values or {})
        return cls._only


def settings():
    return Settings()


def work(name):
    return settings().scale * len(name)


def configure(options):
    SET


def run(names):
    with mp.POOL as pool:
        return pool.map(work, names)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--scale", type=int)
    configure(parser.parse_args())
    run(["a", "b"])


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("does", "pool", "shown"),
    [
        ("Settings(vars(options))", "Pool(2)", True),
        ("Settings().scale = options.scale", "Pool(2)", True),
        ("Settings().title = 'x'", "Pool(2)", False),
        ("print(Settings())", "Pool(2)", False),
        ("Settings(vars(options))", "get_context('fork').Pool(2)", False),
        ("Settings(vars(options))", "Pool(2, configure, (settings(),))", False),
    ],
)
def test_a_singleton_that_only_main_changes_or_makes_with_arguments(does: str, pool: str, shown: bool) -> None:
    text = SINGLETON.replace("SET\n", f"{does}\n").replace("POOL", pool)
    found = [each for each in lint(text).diagnostics if each.code == "LP210"]
    assert [each.confidence for each in found] == [Confidence.LIKELY] * shown
