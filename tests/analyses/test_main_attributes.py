"""LP208: attributes of modules and classes that only the main process sets."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver
from tests.support import marks

CLASS = """\
import multiprocessing


class Config:
    {bound}


class Other(Config):
    pass


def work(number):
    {read}


{elsewhere}


def main(value):
    {store}
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1, 2]))


if __name__ == "__main__":
    main(2)
"""


def _found(
    bound: str = "scale = None",
    read: str = "return number * Config.scale",
    store: str = "Config.scale = value",
    elsewhere: str = "",
) -> list[str]:
    return [code for _, code in marks(CLASS.format(bound=bound, read=read, store=store, elsewhere=elsewhere))]


@pytest.mark.parametrize("bound", ["scale = None", "scale: int | None = None", "scale = None  # by main"])
def test_what_is_none_in_the_body_of_a_class(bound: str) -> None:
    assert _found(bound) == ["LP208"]


@pytest.mark.parametrize(
    "read",
    [
        "return number * Config.scale",
        "return Config.scale[number]",
        "return Config.scale.by(number)",
        "if number:\n        return Config.scale + 1",
        "return [Config.scale for _ in range(number)]",
    ],
)
def test_ways_to_read_it(read: str) -> None:
    assert _found(read=read) == ["LP208"]


@pytest.mark.parametrize(
    "store", ["Config.scale = value", "Config.scale, other = value", "x = Config\n    x.scale = 1"]
)
def test_ways_to_set_it(store: str) -> None:
    assert _found(store=store) == ["LP208"]


@pytest.mark.parametrize(
    "elsewhere",
    [
        "def configure(value):\n    Config.scale = value",
        "class Tool:\n    def run(self):\n        Config.scale = 3",
        "class Item:\n    scale = None\n    def __init__(self, scale):\n        self.scale = scale",
        "def show():\n    print(Config.scale == 2)",
    ],
)
def test_other_places_that_no_worker_gets_to(elsewhere: str) -> None:
    assert _found(elsewhere=elsewhere) == ["LP208"]


@pytest.mark.parametrize("bound", ["scale = 1", "scale: float = -0.5", "scale = 'a'  # by main"])
def test_what_is_another_constant_in_the_body_of_a_class(bound: str) -> None:
    assert _found(bound) == ["LP208"]
    assert _found(bound, "if Config.scale:\n        return number") == ["LP208"]


@pytest.mark.parametrize("bound", ["scale = []", "scale = f(1)", "scale = None\n    scale = 1", "other = None"])
def test_what_has_another_value_at_import_is_told_as_a_changed_object(bound: str) -> None:
    assert _found(bound) == ["LP210"]


def test_a_constant_that_stays_the_same() -> None:
    assert _found("scale = 2", store="Config.scale = 2") == []
    assert _found("scale = 2", store="pass", elsewhere="def set_scale(value):\n    Config.scale = value") == []
    assert _found("is_main = False", "return Config.is_main", "Config.is_main = True") == []


def test_a_constant_that_is_counted_up_is_told_as_a_changed_object() -> None:
    assert _found("scale = 1", store="Config.scale += 1") == ["LP210"]


def test_a_way_to_change_a_constant_that_is_not_seen() -> None:
    assert _found("scale = 1", store="x = Config\n    x.scale = 1") == []  # gap: only `Config.scale = …` is looked for


def test_members_of_an_enum_stay_what_they_are() -> None:
    text = CLASS.format(bound="scale = 1", read="return Config.scale", store="Config.scale = 2", elsewhere="")
    text = text.replace("class Config:", "class Config(enum.Enum):").replace("class Other(Config)", "class Other")
    assert marks(f"import enum\n{text}") == []


@pytest.mark.parametrize(
    "read",
    [
        "return number * (Config.scale if Config.scale is not None else 1)",
        "if Config.scale:\n        return Config.scale",
        "return number  # not Config.scale",
        "return 'Config.scale'",
        "Config.scale = 1\n    return number * Config.scale",
        "setup(number)\n    return number * Config.scale",
        "Config = [number]\n    return Config.scale",
    ],
)
def test_what_a_worker_does_not_read_as_it_was_at_import(read: str) -> None:
    assert _found(read=read, elsewhere="def setup(number):\n    Config.scale = number") == []


@pytest.mark.parametrize(
    "elsewhere",
    [
        "Config.scale = 3",
        "def setup():\n    Config.scale = 3\n\n\nsetup()",
        "def setup(target):\n    target.scale = 3\n\n\nsetup(Config)",
        "for name in ['scale']:\n    setattr(Config, name, 3)",
    ],
)
def test_what_is_set_at_import(elsewhere: str) -> None:
    assert _found(elsewhere=elsewhere) == []


_OPTIONS = """\
class Options{bases}:
    def __init__(self, args):
        for key, value in vars(args).items():
            {stored}
"""


@pytest.mark.parametrize(
    ("bases", "stored", "is_found"),
    [
        ("", "setattr(self, key, value)", True),
        ("", "self.__dict__[key] = value", True),
        ("", "setattr(type(self), key, value)", True),
        ("", "setattr(Config, 'size', value)", True),
        ("", "print(vars(Config), Config.__dict__)", True),
        ("", "globals()[key] = value", True),
        ("", "setattr(args, key, value)", False),  # It may be anything.
        ("", "setattr(Config, key, value)", False),
        ("", "setattr(Config, 'scale', value)", False),
        ("", "setattr(Other, key, value)", False),
        ("(Config)", "setattr(self, key, value)", False),
        ("(Config)", "vars(self).update(vars(args))", False),
        ("(Config)", "setattr(type(self), key, value)", False),
    ],
)
def test_stores_by_name_of_that_class_and_of_others(bases: str, stored: str, is_found: bool) -> None:
    found = _found(elsewhere=_OPTIONS.format(bases=bases, stored=stored))
    assert found == ["LP208"] * is_found


@pytest.mark.parametrize(("owner", "is_found"), [("self", False), ("Other()", False), ("Unlike()", True)])
def test_stores_by_name_on_what_is_read(owner: str, is_found: bool) -> None:
    fill = f"def fill(self, values):\n        setattr({owner}, 'scale', values)"
    read = "def work(self):\n        return self.scale"
    bound = f"scale = None\n\n    {fill}\n\n    {read}"
    text = CLASS.format(bound=bound, read="return Config().work()", store="Config.scale = value", elsewhere="")
    found = [code for _, code in marks(f"class Unlike:\n    pass\n\n\n{text}")]
    assert found == ["LP208"] * is_found


@pytest.mark.parametrize("store", ["pass", "Other.scale = value", "Config().scale = value", "print(Config.scale)"])
def test_what_nothing_sets(store: str) -> None:
    assert _found(store=store) == []


@pytest.mark.parametrize(
    ("arguments", "is_found"),
    [
        ("1, setup, (value,)", False),
        ("1, initializer=setup, initargs=(value,)", False),
        ("1, initializer=setup(value)", True),  # It is called here, in the main process.
    ],
)
def test_what_an_initializer_sets(arguments: str, is_found: bool) -> None:
    text = CLASS.format(
        bound="scale = None",
        read="return number * Config.scale",
        store="Config.scale = value",
        elsewhere="def setup(value):\n    Config.scale = value",
    )
    found = {code for _, code in marks(text.replace("Pool(1)", f"Pool({arguments})"))}
    assert ("LP208" in found) == is_found


def test_what_workers_of_another_module_begin_with(tmp_path: Path) -> None:
    files = {
        "main.py": MAIN.format(imported="import settings"),
        "settings.py": "scale = None\n\n\ndef configure(value):\n    global scale\n    scale = value\n",
        "pools.py": "import multiprocessing, settings\npool = multiprocessing.Pool(initializer=settings.configure)\n",
    }
    found = _program(tmp_path, files)
    assert ("main.py", 6, "LP208") not in found


def _program(folder: Path, files: dict[str, str]) -> list[tuple[str, int, str]]:
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    found = lint_paths([str(folder)], resolver=SettingsResolver(cwd=folder)).diagnostics
    return [(Path(each.location.path).name, each.location.start.row, each.code) for each in found]


MAIN = """\
import multiprocessing
{imported}


def work(number):
    return number * settings.scale


def main(value):
    settings.scale = value
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1, 2]))


if __name__ == "__main__":
    main(2)
"""
FOUND = [("main.py", 6, "LP208")]


@pytest.mark.parametrize(
    ("imported", "name"),
    [
        ("import settings", "settings.py"),
        ("import other as settings", "other.py"),
        ("from package import settings", "package/settings.py"),
        ("import package.settings as settings", "package/settings.py"),
    ],
)
def test_a_module(tmp_path: Path, imported: str, name: str) -> None:
    package = {"package/__init__.py": ""} if "package" in name else {}
    assert _program(tmp_path, {"main.py": MAIN.format(imported=imported), **package, name: "scale = None\n"}) == FOUND


@pytest.mark.parametrize(
    "store",
    [
        "settings.scale, settings.offset = value, 2",
        "settings.scale, other = value, 2",
        "settings.offset, settings.scale = value, 2",
        "(settings.scale, settings.offset) = value, 2",
        "settings.scale, *settings.offset = value",
    ],
)
def test_a_constant_of_a_module_that_an_unpacking_changes(tmp_path: Path, store: str) -> None:
    main = MAIN.format(imported="import settings").replace("settings.scale = value", store)
    assert _program(tmp_path, {"main.py": main, "settings.py": "scale = 1\noffset = 1\n"}) == FOUND


@pytest.mark.parametrize(
    "reads", ["print(settings.scale, end='')", "other = settings.scale, value", "other[settings.scale, 1] = value"]
)
def test_what_only_reads_a_constant_of_a_module(tmp_path: Path, reads: str) -> None:
    main = MAIN.format(imported="import settings\nother = {}").replace("settings.scale = value", reads)
    assert _program(tmp_path, {"main.py": main, "settings.py": "scale = 1\noffset = 1\n"}) == []


@pytest.mark.parametrize("store", ["Config.scale, other = value, 1", "Config.scale, Config.other = value, 1"])
def test_a_constant_of_a_class_that_an_unpacking_changes(store: str) -> None:
    assert _found("scale = 1", store=store) == ["LP208"]


@pytest.mark.parametrize(
    "settings",
    [
        "scale = None\n\n\ndef read(path):\n    global scale\n    scale = path\n",
        "import os\nscale = None\nif __name__ == '__main__':\n    print(scale)\n",
    ],
)
def test_a_module_with_more_in_it(tmp_path: Path, settings: str) -> None:
    assert _program(tmp_path, {"main.py": MAIN.format(imported="import settings"), "settings.py": settings}) == FOUND


@pytest.mark.parametrize(
    "settings",
    [
        "scale = None\nscale = 2\n",
        "scale = None\n\n\ndef read():\n    global scale\n    scale = 1\n\n\nread()\n",
        "scale = None\nglobals().update(scale=1)\n",
        "def __getattr__(name):\n    return 1\n\n\nscale = None\n",
        "from other import scale\n",
        "scale = None\nfrom nowhere import *\n",
    ],
)
def test_a_module_that_sets_it_itself(tmp_path: Path, settings: str) -> None:
    assert _program(tmp_path, {"main.py": MAIN.format(imported="import settings"), "settings.py": settings}) == []


def test_a_module_with_a_list_is_told_as_a_changed_object(tmp_path: Path) -> None:
    files = {"main.py": MAIN.format(imported="import settings"), "settings.py": "scale = [1]\n"}
    assert _program(tmp_path, files) == [("main.py", 6, "LP210")]


def test_a_module_that_another_one_sets_when_it_is_imported(tmp_path: Path) -> None:
    files = {
        "main.py": MAIN.format(imported="import settings, setup"),
        "settings.py": "scale = None\n",
        "setup.py": "import settings\nsettings.scale = 3\n",
    }
    assert _program(tmp_path, files) == []


def test_a_module_that_a_function_sets_which_another_one_calls_when_it_is_imported(tmp_path: Path) -> None:
    files = {
        "main.py": MAIN.format(imported="import settings, start"),
        "settings.py": "scale = None\n",
        "setup.py": "import settings\ndef configure():\n    settings.scale = 3\n",
        "start.py": "from setup import configure\nconfigure()\n",
    }
    assert _program(tmp_path, files) == []


def test_an_object_in_a_module_is_told_as_a_changed_object(tmp_path: Path) -> None:
    settings = "class Settings:\n    scale = None\n\n\nsettings = Settings()\n"
    files = {"main.py": MAIN.format(imported="from other import settings"), "other.py": settings}
    assert _program(tmp_path, files) == [("main.py", 6, "LP210")]


def test_the_place_is_not_a_comment() -> None:
    text = CLASS.format(
        bound="level = 1",
        read="number += 1  # implies Config.level\n    return number + Config.level",
        elsewhere="",
        store="Config.level = value",
    )
    (row,) = [row for row, code in marks(text) if code == "LP208"]
    assert text.splitlines()[row - 1].strip() == "return number + Config.level"


_APPLY = """\
def apply(target, values):
    for name, value in values.items():
        setattr(target, name, value)


def setting_of(target, name):
    return getattr(target, name)


VALUES = {{"{name}": 5}}
TEXT = '{{"{name}": 5}}'
"""


@pytest.mark.parametrize(
    ("store", "name", "found"),
    [
        pytest.param("apply(Config, VALUES)", "scale", ["LP208"], id="by a function"),
        pytest.param("apply(Config, loads(TEXT))", "scale", ["LP208"], id="as JSON"),
        pytest.param("apply(Config, dict(scale=5))", "scale", ["LP208"], id="as keywords"),
        pytest.param("apply(Config, VALUES)", "size", [], id="another attribute"),
        pytest.param("apply(Config(), VALUES)", "scale", [], id="an object of it"),
        pytest.param("apply(Other, VALUES)", "scale", [], id="another class"),
        pytest.param("print(setting_of(Config, 'scale'))", "scale", [], id="read alone"),
    ],
)
def test_attributes_of_names_that_a_text_says(store: str, name: str, found: list[str]) -> None:
    assert _in_two_files(store, name) == found


@pytest.mark.parametrize(
    "pool",
    ["Pool(1, initializer=apply, initargs=(Config, VALUES))", "Pool(1, apply, (Config, VALUES))"],
)
def test_workers_that_get_them_too(pool: str) -> None:
    assert _in_two_files("apply(Config, VALUES)", "scale", pool) == []


def _in_two_files(store: str, name: str, pool: str = "Pool(1)") -> list[str]:
    head, tail = "import multiprocessing\nfrom config import Config, Other, work\nfrom json import loads\n", "def main"
    program = CLASS.format(bound="scale = 2", read="return number * Config.scale", store=store, elsewhere="")
    body, _, main = program.partition(tail)
    files = {
        "config.py": body,
        "run.py": f"{head}\n\n{_APPLY.format(name=name)}\n\n{tail}{main.replace('Pool(1)', pool)}",
    }
    with TemporaryDirectory() as folder:
        for path, text in files.items():
            (Path(folder) / path).write_text(text)
        outcome = lint_paths([folder], resolver=SettingsResolver(isolated=True))
    return [each.code for each in outcome.diagnostics]


BY_CONSTRUCTOR = """\
import multiprocessing


class Tagger:
    table = None

    def __init__(self, table):
        {store}

    def tag(self, word):
        return self.table[word]


def main():
    tagger = Tagger({{"a": 1}})
    with multiprocessing.Pool(1) as pool:
        print(pool.map(tagger.tag, ["a"]))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("store", "fires"),
    [
        ("Tagger.table = table", True),
        ("type(self).table = table", True),
        ("self.__class__.table = table", True),
        ("self.table = table", False),
    ],
)
def test_what_the_constructor_sets_on_the_class(store: str, fires: bool) -> None:
    assert marks(BY_CONSTRUCTOR.format(store=store)) == ([(11, "LP208")] if fires else [])


WORKS = """\
from multiprocessing import Pool

import constants


def work(row):
    return constants.KIND, row


def run(rows):
    with Pool(2) as pool:
        return pool.map(work, rows)
"""
SCRIPT = """\
import sys

import constants
{imported}


def change(kind):
    constants.KIND = kind


if __name__ == "__main__":
    {setting}
    {called}
"""
STARTS = """\
import rates

if __name__ == "__main__":
    print(rates.run(range(3)))
"""


@pytest.mark.parametrize("setting", ["constants.KIND = sys.argv[1]", "change(sys.argv[1])"])
@pytest.mark.parametrize(
    ("imported", "called", "is_found"),
    [
        ("import rates", "print(rates.run(range(3)))", True),
        ("import starts", "print(starts.rates.run(range(3)))", True),
        ("", "print(constants.KIND)", False),
        ("", "import rates; print(rates.run(range(3)))", True),
    ],
)
def test_a_script_sets_nothing_for_the_workers_of_another_one(
    tmp_path: Path, setting: str, imported: str, called: str, is_found: bool
) -> None:
    files = {
        "pyproject.toml": "[project]\n",
        "constants.py": "KIND = 'std'\n",
        "rates.py": WORKS,
        "starts.py": STARTS,
        "download.py": SCRIPT.format(setting=setting, imported=imported, called=called),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    outcome = lint_paths([str(tmp_path)], resolver=SettingsResolver(isolated=True, cwd=tmp_path))
    assert ([each.code for each in outcome.diagnostics] == ["LP208"]) is is_found
