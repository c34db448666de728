"""LP210: changed-object-in-worker."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.diagnostics import Confidence
from lintpickle.settings import SettingsResolver
from tests.pages import PageTests
from tests.rules.worker_functions import codes
from tests.support import lint, lint_files, marks


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
        pytest.param(
            "class S:\n    rates = {}\n    @classmethod\n    def load(cls):\n"
            "        if not cls.rates:\n            cls.rates['a'] = 1\n"
            "    @classmethod\n    def all(cls):\n        cls.load()\n        return cls.rates\n"
            "def begin():\n    S.load()\n"
            "def g(k):\n    return S.rates[k]\n"
            "def main():\n    print(S.all())\n    with mp.Pool(2, begin) as pool:\n        pool.map(g, 'a')\n",
            id="a class method that calls the one which workers call",
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
        pytest.param(
            "class N:\n    k = {'a': 1}\n    @classmethod\n    def add(cls, x):\n        cls.k[x] = 1\n"
            "    @classmethod\n    def clear(cls):\n        cls.k['a'] = 0\n"
            "    @classmethod\n    def put(cls, x):\n        cls.clear()\n        cls.add(x)\n"
            "def g():\n    N.clear()\n    return N.k\ndef main():\n    N.put('b')\n",
            id="a class by two methods, of which workers call one",
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
        ("return PARTS.get(name, 0)", True),
        ("size = PARTS.get(name, 0) + 1\n    return size", True),
        ("return PARTS.get(name, None)", False),
        ("return PARTS.get(name, 0) or len(name)", False),
        ("return 2 if PARTS.get(name, False) else 1", False),
        (
            "part = PARTS.get(name, Ellipsis)\n    if part is Ellipsis:\n        part = len(name)\n    return part",
            False,
        ),
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


_LOADER = """
FORMATS = {"_default": "hdf"}


class Loader:
    @staticmethod
    def register(name, format):
        FORMATS[name] = format

    def load(self, path):
        return FORMATS[FORMATS["_default"]](path)
"""
_HDF = """
from store.core import Loader


class Hdf:
    def __init__(self, path):
        self.path = path


{then}
"""
_UPDATE = """
import multiprocessing as mp

from store.core import Loader
from store.hdf import Hdf


def update(path):
    return Loader().load(path).path


def main():
    {first}
    with mp.get_context("spawn").Pool(2) as pool:
        print(pool.map(update, ["a.h5"]))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("then", "first", "expected"),
    [
        ("Loader.register('hdf', Hdf)", "pass", []),
        ("Loader.register('hdf', Hdf)", "Loader.register('tiff', Hdf)", []),
        ("for name in ('hdf', 'old_hdf'):\n    Loader.register(name, Hdf)", "Loader.register('tiff', Hdf)", []),
        ("", "Loader.register('hdf', Hdf)", ["LP210"]),
    ],
    ids=["its import does", "main adds one", "its import adds some", "main does"],
)
def test_a_registry_that_a_module_fills_by_a_name_of_the_package(
    then: str, first: str, expected: list[str], tmp_path: Path
) -> None:
    files = {
        "pyproject.toml": "[project]\nname = 'store'\n",
        "store/__init__.py": "",
        "store/core/__init__.py": "from .loader import Loader\n",
        "store/core/loader.py": _LOADER,
        "store/hdf.py": _HDF.format(then=then),
        "update.py": _UPDATE.format(first=first),
    }
    (tmp_path / "store" / "core").mkdir(parents=True)
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


VENDORS = """\
import csv
import multiprocessing
import os
import urllib.request

PATH = "vendors.csv"


class Vendors:
    def __init__(self, path):
        self.path = path
        self.names = {{}}
        self.loads = 0
        {makes}

    def download(self, url):
        urllib.request.urlretrieve(url, self.path)

    def load(self):
        {before}
        if os.path.isfile({path}):
            with open({path}) as file:
                for prefix, name in csv.reader(file):
                    self.names[prefix] = name

    def name(self, address):
        return self.names.get(address[:6], "N/A"), self.loads


VENDORS = Vendors(PATH)


def work(address):
    return VENDORS.name(address)


def main(addresses):
    VENDORS.download("http://vendors")
    {main}
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        print(pool.map(work, addresses))


if __name__ == "__main__":
    main(["00aabb"])
"""


@pytest.mark.parametrize(
    ("makes", "before", "main", "shown"),
    [
        pytest.param("self.load()", "pass", "VENDORS.load()", False, id="loaded again from the same file"),
        pytest.param("self.load()", "self.names = {}", "VENDORS.load()", False, id="made anew"),
        pytest.param("pass", "pass", "VENDORS.load()", True, id="only main loads"),
        pytest.param("self.load()", "self.loads += 1", "VENDORS.load()", True, id="it counts"),
        pytest.param("self.load()", "pass", "VENDORS.path = 'own.csv'\n    VENDORS.load()", True, id="another file"),
    ],
)
def test_what_main_has_an_object_do_that_its_constructor_has_done(
    makes: str, before: str, main: str, shown: bool
) -> None:
    text = VENDORS.format(makes=makes, before=before, main=main, path="self.path")
    assert ("LP210" in [code for _, code in marks(text)]) is shown


def test_a_method_that_reads_what_main_sets() -> None:
    main = "global PATH\n    PATH = addresses[0]\n    VENDORS.load()"
    text = VENDORS.format(makes="self.load()", before="pass", main=main, path="PATH")
    assert "LP210" in [code for _, code in marks(text)]


NAMESPACES = {
    "SimpleNamespace": """
from types import SimpleNamespace

settings = SimpleNamespace(size=3, model=SimpleNamespace(depth=1, wide=False))
""",
    "argparse": """
from argparse import Namespace

settings = Namespace(size=3, model=Namespace(depth=1, wide=False))
""",
    "EasyDict": """
from easydict import EasyDict

settings = EasyDict()
settings.size = 3
settings.model = EasyDict()
settings.model.depth = 1
settings.model.wide = False
""",
}
TRAINING = """\
import multiprocessing as mp
{imports}


def prepare():
    {name}.folder = "cache"


def work(row):
    {begin}
    return row * {read}


def main(size):
    {change}
    with mp.Pool(2) as pool:
        return pool.map(work, range(size))


if __name__ == "__main__":
    main(5)
"""


def _of_settings(kind: str, folder: Path, imports: str = "from cfg import settings", **parts: str) -> list[str]:
    (folder / "cfg.py").write_text(NAMESPACES[kind])
    name = imports.rpartition(" ")[2]
    parts = {each: text.replace("settings", name) for each, text in parts.items()}
    (folder / "train.py").write_text(TRAINING.format(imports=imports, name=name, **{"begin": "pass", **parts}))
    found = lint_paths([str(folder)], resolver=SettingsResolver(cwd=folder, isolated=True)).diagnostics
    return [each.code for each in found]


@pytest.mark.parametrize("kind", NAMESPACES)
@pytest.mark.parametrize("imports", ["from cfg import settings", "from cfg import settings as options"])
@pytest.mark.parametrize(
    ("read", "change"),
    [
        ("settings.size", "settings.size = size"),
        ("settings.model.depth", "settings.model.depth = size"),
        ("settings.model.depth", "settings.model.depth += 1"),
    ],
)
def test_settings_that_main_changes(kind: str, imports: str, read: str, change: str, tmp_path: Path) -> None:
    assert _of_settings(kind, tmp_path, imports, read=read, change=change) == ["LP210"]


def test_settings_of_which_workers_change_others(tmp_path: Path) -> None:
    parts = {"begin": "prepare()", "read": "len(settings.folder) * settings.size", "change": "settings.size = size"}
    assert _of_settings("EasyDict", tmp_path, **parts) == ["LP210"]


@pytest.mark.parametrize("kind", NAMESPACES)
@pytest.mark.parametrize(
    ("begin", "read", "change"),
    [
        pytest.param("pass", "settings.size", "settings.model.depth = size", id="another attribute"),
        pytest.param("pass", "settings.model.wide", "settings.model.depth = size", id="another one of the same part"),
        pytest.param("settings.size = 4", "settings.size", "settings.size = size", id="workers set it"),
        pytest.param("prepare()", "len(settings.folder)", "prepare()", id="workers call what sets it"),
        pytest.param("settings = {'size': 2}", "settings['size']", "settings = {'size': size}", id="a variable"),
    ],
)
def test_settings_that_workers_have(kind: str, begin: str, read: str, change: str, tmp_path: Path) -> None:
    assert _of_settings(kind, tmp_path, begin=begin, read=read, change=change) == []


@pytest.mark.parametrize(
    ("made", "change", "found"),
    [("{'rate': 1}", "rates.RATES['rate'] = 2", ["LP210"]), ("1", "rates.RATES = 2", [])],
)
def test_an_object_that_workers_import_by_another_name(
    made: str, change: str, found: list[str], tmp_path: Path
) -> None:
    (tmp_path / "rates.py").write_text(f"RATES = {made}\n")
    (tmp_path / "main.py").write_text(
        "import multiprocessing as mp\nimport rates\nfrom rates import RATES as own\n\n\ndef work(row):\n"
        f"    return row, own\n\n\ndef main():\n    {change}\n    with mp.Pool(2) as pool:\n"
        "        print(pool.map(work, [1, 2]))\n\n\nif __name__ == '__main__':\n    main()\n"
    )
    result = lint_paths([str(tmp_path)], resolver=SettingsResolver(cwd=tmp_path, isolated=True))
    assert [each.code for each in result.diagnostics] == found


LOGGER = """\
import multiprocessing

import requests


class Logger:
    def __init__(self, folder):
        self.folder = folder
        self.level = 1
        self.times = {{}}

    def path(self):
        return self.folder{reads}


class Service:
    def __init__(self):
        self.current = Logger("logs")
        self.session = requests.Session()


SERVICE = Service()


def work(number):
    return SERVICE.current.path(), SERVICE.session.get(f"http://numbers/{{number}}").text


def main(name):
    {change}
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        print(pool.map(work, range(4)))


if __name__ == "__main__":
    main("begin")
"""


@pytest.mark.parametrize(
    ("change", "reads", "shown"),
    [
        pytest.param("SERVICE.current.times[name] = 1", "", False, id="what no worker asks for"),
        pytest.param("SERVICE.current.level = 2", "", False, id="another attribute"),
        pytest.param("SERVICE.current.times[name] = 1", ", self.times", True, id="what workers ask for"),
        pytest.param("SERVICE.current.level = 2", ", self.level", True, id="the attribute"),
        pytest.param("SERVICE.session.verify = False", "", True, id="what a library asks for"),
    ],
)
def test_a_part_of_an_object_that_only_main_changes(change: str, reads: str, shown: bool) -> None:
    text = LOGGER.format(change=change, reads=reads)
    assert ("LP210" in [code for _, code in marks(text)]) is shown


SYNONYMS = """\
SYNONYMS = {{}}


def learn(path):
    with open(path) as lines:
        SYNONYMS.update(line.split() for line in lines)


def plain(word):
    return SYNONYMS.get(word, word)
"""
TRANSLATING = """\
import argparse
import multiprocessing as mp
import synonyms


def translate(sentence):
    return [synonyms.plain(word) for word in sentence]


def prepare(args):
    synonyms.learn(args.table)


def run(sentences):
    with mp.Pool(2) as pool:
        return pool.map(translate, sentences)


def main():
    args = argparse.ArgumentParser().parse_args()
    {body}


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        pytest.param("prepare(args)\n    run([])", True, id="before"),
        pytest.param(
            "synonyms.learn(args.table)\n    with open(args.text) as text:\n        run(text)", True, id="around"
        ),
        pytest.param("run([])\n    prepare(args)", False, id="after"),
        pytest.param("if args.table:\n        prepare(args)\n    run([])", False, id="perhaps"),
        pytest.param("run([])", False, id="by nobody"),
    ],
)
def test_a_default_hides_that_a_table_is_empty(body: str, shown: bool, tmp_path: Path) -> None:
    (tmp_path / "synonyms.py").write_text(SYNONYMS.format())
    (tmp_path / "main.py").write_text(TRANSLATING.format(body=body))
    found = lint_paths([str(tmp_path)], resolver=SettingsResolver(isolated=True, cwd=tmp_path)).diagnostics
    assert [each.code for each in found if each.confidence is Confidence.LIKELY] == ["LP210"] * shown


OPTIONS = """\
class Options:
    depth = 4

    def __init__(self):
        self.quality = 10.0
        self.name = "reads"

    def merge(self, **values):
        for key, value in values.items():
            if hasattr(self, key):
                setattr(self, key, value)

    def replace(self, values):
        self.__dict__.update(values)

    def describe(self, **values):
        return ", ".join(f"{key}={value}" for key, value in values.items())


active = Options()
"""
FILTERING = """\
import argparse
import multiprocessing as mp
import options


def passes(read):
    {read}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quality", type=float)
    args = parser.parse_args()
    {change}
    with mp.Pool(2) as pool:
        print(pool.map(passes, range(9)))


if __name__ == "__main__":
    main()
"""
BY_NAME = "return read > options.active.quality"
BY_VARIABLE = "opts = options.active\n    return read > opts.quality"


@pytest.mark.parametrize(
    ("read", "change", "shown"),
    [
        pytest.param(BY_NAME, "options.active.merge(quality=args.quality)", True, id="a name that is written"),
        pytest.param(BY_VARIABLE, "options.active.merge(quality=args.quality)", True, id="read by a variable"),
        pytest.param(BY_NAME, 'options.active.replace({"quality": args.quality})', True, id="a key"),
        pytest.param(BY_NAME, "options.active.merge(**vars(args))", True, id="all options"),
        pytest.param(BY_VARIABLE, "options.active.merge(**vars(args))", True, id="all options, read by a variable"),
        pytest.param(BY_NAME, "options.active.merge(name=str(args))", False, id="another name"),
        pytest.param(BY_VARIABLE, "options.active.replace({'name': 1})", False, id="another key"),
        pytest.param(
            "return options.active.name", "options.active.merge(depth=args.quality)", False, id="nobody reads"
        ),
        pytest.param(BY_NAME, "print(options.active.describe(quality=args.quality))", False, id="stores nothing"),
        pytest.param(
            "opts = options.Options()\n    return read > opts.quality",
            "options.active.merge(quality=args.quality)",
            False,
            id="an object of its own",
        ),
    ],
)
def test_what_a_method_stores_under_the_names_that_it_is_given(
    read: str, change: str, shown: bool, tmp_path: Path
) -> None:
    (tmp_path / "options.py").write_text(OPTIONS)
    (tmp_path / "main.py").write_text(FILTERING.format(read=read, change=change))
    found = lint_paths([str(tmp_path)], resolver=SettingsResolver(isolated=True, cwd=tmp_path)).diagnostics
    assert [each.code for each in found if each.confidence is Confidence.LIKELY] == ["LP210"] * shown


UNITS = """\
from multiprocessing import Pool


class Settings:
    def __init__(self):
        self.unit = "km"
        self.limits = load()
        {more}


current = Settings()


def apply_arguments(args):
    {change}


def work(trip):
    return current.{read}


def main(args, trips):
    apply_arguments(args)
    with Pool(2) as pool:
        print(pool.map(work, trips))


if __name__ == "__main__":
    main([], [])
"""


@pytest.mark.parametrize(
    ("change", "read", "more", "told"),
    [
        ("current.unit = args.unit", "unit", "", "there its `unit` is still `'km'`"),
        ("current.limits = args.limits", "limits", "", "there its `limits` is as at import"),
        ("current.unit = args.unit", "unit", "if self.limits:\n            self.unit = 'm'", "there it is still"),
        ("current.places[1] = args", "places", "self.places = {}", "there it is still `Settings()`"),
    ],
)
def test_the_attribute_that_is_changed_is_named(change: str, read: str, more: str, told: str) -> None:
    found = [
        each for each in lint(UNITS.format(change=change, read=read, more=more)).diagnostics if each.code == "LP210"
    ]
    assert [told in each.message for each in found] == [True], [each.message for each in found]


_ARRIVING = """
class Counter:
    known = {{}}
    def __init__(self, name):
        self.name = name
        self.register(self)
    def {arrives}(self, state):
        self.name = state["name"]
        self.register(self)
    @classmethod
    def register(cls, counter):
        cls.known[counter.name] = counter
    @classmethod
    def total(cls):
        return len(cls.known)
def work(counter):
    return Counter.total()
def main():
    mp.Pool(2).map(work, [Counter("a")])
"""


@pytest.mark.parametrize(("arrives", "found"), [("__setstate__", []), ("restore", ["LP210"])])
def test_what_registers_itself_as_it_arrives(arrives: str, found: list[str]) -> None:
    assert codes(_ARRIVING.format(arrives=arrives)) == found


_GIVEN = """\
import multiprocessing as mp
class World:
    gravity = 9.8
WORLD = World()
TABLE = {{}}
def used():
    return WORLD.gravity, TABLE["a"]
def run(world):
    {change}
    return used()
def main():
    mp.Process(target=run, args=({given},)).start()
if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("change", "given", "fires"),
    [
        ("world.gravity = 1.6", "WORLD", True),
        ("world['a'] = 1.6", "TABLE", True),
        ("world.update(a=1)", "TABLE", True),
        ("world.colour = 1.6", "WORLD", False),
        ("world.gravity = 1.6", "World()", False),
        ("print(world.gravity)", "WORLD", False),
        ("global WORLD\n    WORLD = world\n    world.gravity = 1.6", "WORLD", False),
    ],
)
def test_an_object_that_is_given_and_read_by_its_name(change: str, given: str, fires: bool) -> None:
    found = lint(_GIVEN.format(change=change, given=given)).diagnostics
    assert any(each.code == "LP210" and "as its argument" in each.message for each in found) is fires


_GIVEN_ON = """\
import multiprocessing as mp
class Settings(dict):
    pass
class World:
    def __init__(self):
        self.gravity = 9.8
        self.known = {{}}
    def move(self, gravity):
        self.gravity = gravity
    def name_of(self, place):
        if place not in self.known:
            self.known[place] = place.title()
        return self.known[place]
WORLD = World()
OPTIONS = Settings(unit="m")
class Task:
    def __init__(self, world, options):
        self.world = world
        self.options = options
    def work(self):
        {change}
        used()
def used():
    print(WORLD.gravity, WORLD.name_of("a"), OPTIONS["unit"])
def convert(number, options):
    options["unit"] = number
def turn(world):
    if world:
        lower(place=world)
def lower(place):
    place.gravity = 1.6
def show(options):
    options = dict(options)
    options["unit"] = 2
def run(world, options):
    {change}
    used()
def run_task(task):
    {change}
    used()
def start(world, options):
    task = Task(world, options)
    mp.Process({started}).start()
def main():
    start({given})
if __name__ == "__main__":
    main()
"""
_RUN, _WORK, _TASK = "target=run, args=(world, options)", "target=task.work", "target=run_task, args=(task,)"


@pytest.mark.parametrize(
    ("change", "started", "given", "fires"),
    [
        ("options.update(read())", _RUN, "WORLD, OPTIONS", True),
        ("options['unit'] = 'km'", _RUN, "WORLD, OPTIONS", True),
        ("world.move(1.6)", _RUN, "WORLD, OPTIONS", True),
        ("world.gravity = 1.6", _RUN, "WORLD, OPTIONS", True),
        ("self.world.move(1.6)", _WORK, "WORLD, OPTIONS", True),
        ("self.options.update(read())", _WORK, "WORLD, OPTIONS", True),
        ("task.world.gravity = 1.6", _TASK, "WORLD, OPTIONS", True),
        ("task.options.clear()", _TASK, "WORLD, OPTIONS", True),
        ("convert(1, options)", _RUN, "WORLD, OPTIONS", True),
        ("options['unit'] += 'm'", _RUN, "WORLD, OPTIONS", True),
        ("options['known']['unit'] = 'm'", _RUN, "WORLD, OPTIONS", True),
        ("world.gravity -= 1", _RUN, "WORLD, OPTIONS", True),
        ("turn(world)", _RUN, "WORLD, OPTIONS", True),
        ("turn(self.world)", _WORK, "WORLD, OPTIONS", True),
        ("show(options)", _RUN, "WORLD, OPTIONS", False),
        ("convert(1, dict(options))", _RUN, "WORLD, OPTIONS", False),
        ("print(options.get('unit'))", _RUN, "WORLD, OPTIONS", False),
        ("options.update(read())", _RUN, "WORLD, Settings(OPTIONS)", False),
        ("world.name_of('a')", _RUN, "WORLD, OPTIONS", False),  # It only fills a cache.
        ("world.move(1.6)", _RUN, "World(), OPTIONS", False),
        ("self.world = World()\n        self.world.gravity = 1", _WORK, "WORLD, OPTIONS", False),
        ("task.options = {}", _TASK, "WORLD, OPTIONS", False),
    ],
)
def test_an_object_that_is_handed_on_and_read_by_its_name(change: str, started: str, given: str, fires: bool) -> None:
    found = lint(_GIVEN_ON.format(change=change, started=started, given=given)).diagnostics
    assert any(each.code == "LP210" and "as its argument" in each.message for each in found) is fires


@pytest.mark.parametrize(
    ("reads", "told"),
    [
        ("@classmethod\n    def total(cls):\n        return len(cls.items)", "uses `Registry.items`"),
        ("@classmethod\n    def total(class_):\n        return len(class_.items)", "uses `Registry.items`"),
        ("@staticmethod\n    def total(cls=None):\n        return len((cls or Registry).items)", "uses `Registry`"),
    ],
)
def test_a_class_is_called_by_its_name(reads: str, told: str) -> None:
    text = (
        "import multiprocessing as mp\nclass Registry:\n    items = {}\n"
        "    @classmethod\n    def add(cls, name):\n        cls.items[name] = 1\n"
        f"    {reads}\n"
        "def work(number):\n    return Registry.total() + number\n"
        "def main(names):\n    Registry.add(names[0])\n    with mp.Pool(2) as pool:\n        pool.map(work, names)\n"
        "if __name__ == '__main__':\n    main(['a', 'b'])\n"
    )
    found = [each.message for each in lint(text).diagnostics if each.code == "LP210"]
    assert any(told in each for each in found), found
    assert not any(f"`{name}." in each for each in found for name in ("cls", "class_"))


_RATES = """\
from multiprocessing import Pool

RATES = {"EUR": 1.0}


def total(amount):
    return amount * RATES["EUR"]


def totals(amounts):
    with Pool(2) as pool:
        return pool.map(total, amounts)
"""
_CHANGING = """\
import rates


def {name}():
    rates.RATES["EUR"] = 2.0
    assert rates.totals([1]) == [2]


if __name__ == "__main__":
    {name}()
"""


@pytest.mark.parametrize(
    ("file", "name", "likely"), [("test_rates.py", "test_totals", False), ("report.py", "report", True)]
)
def test_what_tests_alone_change(file: str, name: str, likely: bool, tmp_path: Path) -> None:
    found = lint_files(tmp_path, {"rates.py": _RATES, file: _CHANGING.format(name=name)})
    assert [each.code for each in found if each.confidence is Confidence.LIKELY] == ["LP210"] * likely


OF_A_CLASS = """\
import multiprocessing as mp


class Builder:
    used = []

    def take(self, size):
        Builder.used.append(size)
        return size


def begin(builder, used):
    {begin}


def build(number):
    {build}


if __name__ == "__main__":
    builder = Builder()
    builder.take(4)
    with mp.Manager() as manager:
        shared = manager.list(Builder.used)
        with mp.Pool(2, initializer=begin, initargs=(builder, shared)) as pool:
            print(pool.map(build, [1, 2, 3]))
"""


@pytest.mark.parametrize(
    ("begin", "build", "rows"),
    [
        ("Builder.used = used", "return number", []),
        ("Builder.used = used", "return Builder.used", []),
        ("print(used)", "return Builder.used", [17]),
        ("print(used)", "Builder.used = [number]\n    return number", []),
        ("builder.used = used", "return Builder.used", [17]),
        ("print(Builder.used)", "return number", [13]),
    ],
)
def test_a_container_of_a_class_that_workers_get_another_one_of(begin: str, build: str, rows: list[int]) -> None:
    found = marks(OF_A_CLASS.format(begin=begin, build=build))
    assert [row for row, code in found if code == "LP210"] == rows
