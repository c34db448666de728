"""LP204: worker-definition-under-main-guard."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver
from tests.pages import PageTests
from tests.support import lint_files, marks


class TestPage(PageTests):
    code = "LP204"


_MADE_GLOBAL = """\
import multiprocessing
from concurrent.futures import ProcessPoolExecutor


def prepare(size, *others):
    global scaled, Row, doubled

    def scaled(number):
        return number * size

    class Row:
        pass

    doubled = lambda number: number * 2
    return scaled


def work(row):
    return row


def main():
    multiprocessing.set_start_method("spawn")
    made = prepare(3)
    {crossing}


if __name__ == "__main__":
    main()
"""


def _found(crossing: str, more: str = "", inside: str = "") -> list[tuple[int, str]]:
    text = _MADE_GLOBAL.format(crossing=crossing)
    text = text.replace("    made = prepare(3)\n", f"    made = prepare(3)\n{inside}")
    return marks(text.replace("def work(row)", f"{more}\n\n\ndef work(row)"))


@pytest.mark.parametrize(
    ("crossing", "row"),
    [
        ("multiprocessing.Pool(2).map(made, range(3))", 8),
        ("multiprocessing.Pool(2).map(scaled, range(3))", 8),
        ("multiprocessing.Process(target=scaled, args=(1,)).start()", 8),
        ("ProcessPoolExecutor(2).submit(scaled, 1)", 8),
        ("multiprocessing.Pool(2).map(work, [Row()])", 11),
        ("multiprocessing.Process(target=work, args=(Row,)).start()", 11),
    ],
)
def test_what_a_function_defines_as_a_global(crossing: str, row: int) -> None:
    assert _found(crossing) == [(row, "LP204")]


_MADE_BY_CALL = """\
import multiprocessing
from collections import namedtuple
from dataclasses import make_dataclass
from enum import Enum
{at_import}

def read(header):
    global Reading
    Reading = {made}
    return [Reading{given}]


def work(reading):
    return reading


def main():
    multiprocessing.set_start_method("spawn")
    multiprocessing.Pool(2).map(work, read(["low", "high"]))


if __name__ == "__main__":
    main()
"""
_CALLS = [
    ('namedtuple("Reading", header)', "(1, 2)"),
    ('type("Reading", (), {})', "()"),
    ('Enum("Reading", ["LOW", "HIGH"])', ".LOW"),
]


@pytest.mark.parametrize(("made", "given"), _CALLS)
def test_a_class_that_a_call_makes_as_a_global(made: str, given: str) -> None:
    assert marks(_MADE_BY_CALL.format(made=made, given=given, at_import="")) == [(9, "LP204")]


def test_a_dataclass_that_a_call_makes_as_a_global() -> None:
    made = 'make_dataclass("Reading", header)'
    assert "LP204" in [code for _, code in marks(_MADE_BY_CALL.format(made=made, given="(1, 2)", at_import=""))]


@pytest.mark.parametrize(("made", "given"), _CALLS)
def test_a_class_that_a_call_makes_as_a_global_at_import_too(made: str, given: str) -> None:
    called = '\n\nROWS = None\n\n\ndef prepare():\n    read(["low", "high"])\n\n\nprepare()\n'
    assert not marks(_MADE_BY_CALL.format(made=made, given=given, at_import=called))


def test_a_lambda_is_no_name_of_the_module_even_as_a_global() -> None:
    assert [code for _, code in _found("multiprocessing.Pool(2).map(doubled, range(3))")] == ["LP201"]


@pytest.mark.parametrize("more", ["prepare(2)", "def scaled(number):\n    return number"])
def test_what_workers_have_too(more: str) -> None:
    assert not _found("multiprocessing.Pool(2).map(scaled, range(3))", more)


def test_what_an_initializer_defines_in_a_script_is_not_found_either() -> None:
    """Measured with CPython 3.11: pickle looks in a copy of what the script had when it was imported."""
    found = _found("multiprocessing.Pool(2, prepare, (3,)).map(scaled, range(3))")
    assert [code for _, code in found] == ["LP204"]


def test_what_only_keeps_the_function_calls_nobody() -> None:
    found = _found("multiprocessing.Pool(2).map(scaled, range(3))", "pools = dict(initializer=prepare, initargs=(3,))")
    assert [code for _, code in found] == ["LP204"]


def test_what_an_initializer_defines_in_another_module(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'formulas'\n")
    (tmp_path / "formulas.py").write_text(
        "def prepare(size):\n    global scaled\n\n    def scaled(number): return number * size\n    return scaled\n"
    )
    script = "import multiprocessing\n\nimport formulas\n\n\ndef main():\n    made = formulas.prepare(3)\n    {}\n\n\n"
    script += "if __name__ == '__main__':\n    multiprocessing.set_start_method('spawn')\n    main()\n"
    for pool, expected in (("Pool(2)", ["LP204"]), ("Pool(2, formulas.prepare, (3,))", [])):
        (tmp_path / "run.py").write_text(script.format(f"multiprocessing.{pool}.map(made, range(3))"))
        found = lint_paths([str(tmp_path)], resolver=SettingsResolver(isolated=True)).diagnostics
        assert [each.code for each in found] == expected


def test_what_workers_are_not_given() -> None:
    assert not _found("multiprocessing.Pool(2).map(work, [scaled(1)])")
    assert not _found("multiprocessing.get_context('fork').Pool(2).map(scaled, [1])")


_MANAGED = """
import multiprocessing
import multiprocessing.pool
from contextlib import contextmanager


def prepare(cls, initargs):
    global worker
    worker = cls()
    worker.init(*initargs)


class Workers:
    @classmethod
    def start(cls, processes=None, initargs=()):
        made = cls()
        made.inner = multiprocessing.pool.Pool(processes=processes, initializer=prepare, initargs=(cls, initargs))
        return made

    @classmethod
    @contextmanager
    def create(cls, processes=None, initargs=()):
        pool = cls.start(processes, initargs)
        yield pool
        pool.inner.close()


if __name__ == "__main__":

    class Doubling(Workers):
        def run(self, number):
            return number * 2

    {guarded}
"""


@pytest.mark.parametrize(
    ("guarded", "fires"),
    [
        ("pool = Doubling.create()\n    print(pool.map(abs, [1]))", False),
        ("with Doubling.create() as pool:\n        print(pool.map(abs, [1]))", True),
        ("made = Doubling.create()\n    with made as pool:\n        print(pool.map(abs, [1]))", True),
        ("pool = Doubling.create()\n    pool.__enter__()", True),
        ("pool = Doubling.create()\n    print(pool)", True),
    ],
)
def test_a_context_manager_that_nobody_enters(guarded: str, fires: bool) -> None:
    found = [code for _, code in marks(_MANAGED.format(guarded=guarded))]
    assert ("LP204" in found) is fires


_WORK = "{mark}\ndef digest(part):\n    return len(part)\n"
_RUN = (
    "{mark}\nfrom multiprocessing import Pool\n\n\n"
    "def digest_all(parts):\n    with Pool(2) as pool:\n        return pool.map(digest, parts)\n"
)


@pytest.mark.parametrize(
    ("marks_", "last", "fires"),
    [
        (("#| export", "#|export"), "", False),
        (("# export", "#export"), "assert callable(digest_all)", False),
        (("#| export", "#| export"), "digest_all(['a', 'b'])", True),
        (("", "#| export"), "", True),
        (("# the worker", "# exported later"), "", True),
        (("#| hide", ""), "digest_all(['a', 'b'])", True),
    ],
)
def test_cells_that_go_to_a_module(tmp_path: Path, marks_: tuple[str, str], last: str, fires: bool) -> None:
    sources = [_WORK.format(mark=marks_[0]), _RUN.format(mark=marks_[1]), last]
    cells: list[dict[str, object]] = [
        {"cell_type": "code", "source": each, "metadata": {}, "outputs": [], "execution_count": None}
        for each in sources
    ]
    notebook = tmp_path / "a.ipynb"
    notebook.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    found = lint_paths([str(notebook)], resolver=SettingsResolver(isolated=True)).diagnostics
    assert [each.code for each in found] == (["LP204"] if fires else [])


_PUBLISHED = """\
import multiprocessing
import sys
{at_import}

class Record:
    pass


def make(name):
    return type(name, (Record,), {inside})


def read(names):
    models = {{}}
    module = sys.modules[__name__]
    for name in names:
        models[name] = make(name)
        {published}
    return models


def work(record):
    return type(record).__name__


def main():
    multiprocessing.set_start_method("spawn")
    models = read(open("schema.txt"))
    multiprocessing.Pool(2).map(work, [models["Customer"]()])


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    "published",
    [
        "globals()[name] = models[name]",
        "setattr(module, name, models[name])",
        "setattr(sys.modules[__name__], name, models[name])",
        "globals().update(models)",
        "vars(module)[name] = models[name]",
        "module.__dict__[name] = models[name]",
    ],
)
def test_classes_that_a_function_puts_into_the_module_by_computed_names(published: str) -> None:
    text = _PUBLISHED.format(published=published, at_import="", inside='{"__module__": __name__}')
    assert marks(text) == [(10, "LP204")]


@pytest.mark.parametrize(
    ("published", "at_import", "inside"),
    [
        ("globals()[name] = models[name]", "", '{"__reduce__": lambda self: (Record, ())}'),
        ("globals()[name] = models[name]", "", '{"__module__": "records.made"}'),
        ("pass", "", "{}"),
        ('globals()["LAST"] = name', "", "{}"),
    ],
)
def test_classes_that_workers_find_otherwise(published: str, at_import: str, inside: str) -> None:
    assert not marks(_PUBLISHED.format(published=published, at_import=at_import, inside=inside))


def test_classes_that_the_import_puts_into_the_module_by_computed_names() -> None:
    text = _PUBLISHED.format(published="globals()[name] = models[name]", at_import="", inside="{}")
    assert not marks(text.replace("def work", 'MODELS = read(["Customer"])\n\n\ndef work'))


_WITH_DEFAULT = """\
import multiprocessing

Customer = {default}


class Record:
    pass


def define():
    global Customer
    {definition}


def work(record):
    return type(record).__name__


def main():
    multiprocessing.set_start_method("spawn")
    define()
    multiprocessing.Pool(2).map(work, [Customer()])


if __name__ == "__main__":
    main()
"""
_DEFINITIONS = ["class Customer(Record):\n        pass", 'Customer = type("Customer", (Record,), {})']


@pytest.mark.parametrize("definition", _DEFINITIONS)
def test_a_class_that_takes_the_place_of_none(definition: str) -> None:
    assert marks(_WITH_DEFAULT.format(default="None", definition=definition)) == [(12, "LP204")]


@pytest.mark.parametrize("definition", _DEFINITIONS)
def test_a_class_that_may_be_there_at_import(definition: str) -> None:
    default = "None\nif not Customer:\n    Customer = type('Customer', (), {})"
    assert "LP204" not in [code for _, code in marks(_WITH_DEFAULT.format(default=default, definition=definition))]


_REGISTERED = """\
from multiprocessing import Pool


class Processor:
    subclasses = {}

    def __init_subclass__(cls):
        cls.subclasses[cls.__name__] = cls

    @classmethod
    def load(cls, name):
        return cls.subclasses[name]()

    def read(self, item):
        return item


def infer(name, items):
    processor = Processor.load(name)
    with Pool(2) as pool:
        return pool.map(processor.read, items)
"""
_OWN = "from farm import Processor, infer\n\n\nclass Mine(Processor):\n    pass\n\n\n{}\n"
_OTHER = """\
from farm import infer


def convert():
    return infer(input(), [1])


if __name__ == "__main__":
    convert()
"""


@pytest.mark.parametrize(("run", "fires"), [("infer(input(), [1])", True), ("Processor.load('Mine').read(1)", False)])
def test_a_class_of_one_program_is_not_found_by_another_one(tmp_path: Path, run: str, fires: bool) -> None:
    (tmp_path / "farm.py").write_text(_REGISTERED)
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": 1, "source": _OWN.format(run)}
    notebook = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "mine.ipynb").write_text(json.dumps(notebook))
    (tmp_path / "convert.py").write_text(_OTHER)
    found = lint_paths([str(tmp_path)], resolver=SettingsResolver(isolated=True)).diagnostics
    assert ("LP204" in [each.code for each in found]) is fires


_PACKAGE_MAIN = """\
import multiprocessing
from collections import namedtuple
from concurrent.futures import ProcessPoolExecutor

from joblib import Parallel, delayed
from loky import get_reusable_executor

from .parsing import look, run

Row = namedtuple("Row", "name")


def check(name):
    return name


class Report:
    pass


def shown(value):
    print(value)


def main(names):
    CONTEXT
    CROSSING
    shown(names)


if __name__ == "__main__":
    main(["index"])
"""
_PARSING = """\
import multiprocessing


def look(name):
    return name


def run(function, names):
    return multiprocessing.Pool(2).map(function, names)
"""
_SPAWNED = "context = multiprocessing.get_context('spawn')"
_FORKED = "context = multiprocessing.get_context('fork')"


def _found_in_package(
    folder: Path, crossing: str, context: str = _SPAWNED, name: str = "check/__main__.py", more: str = ""
) -> list[str]:
    package = {"check/__init__.py": "", "check/parsing.py": _PARSING, "check/more.py": more}
    main = _PACKAGE_MAIN.replace("CROSSING", crossing).replace("CONTEXT", context)
    found = lint_files(folder, {**package, name: main})
    return [each.code for each in found if each.code == "LP204"]


@pytest.mark.parametrize(
    "crossing",
    [
        "context.Pool(2).map(check, names)",
        "list(context.Pool(2).imap_unordered(check, names))",
        "ProcessPoolExecutor(2, mp_context=context).submit(check, 'index')",
        "context.Process(target=check, args=names).start()",
        "context.Pool(2).map(look, [Report()])",
        "context.Pool(2).map(look, [Row('index')])",
        "run(check, names)",
    ],
)
def test_the_main_module_of_a_package_is_not_run_again(tmp_path: Path, crossing: str) -> None:
    assert _found_in_package(tmp_path, crossing) == ["LP204"]


@pytest.mark.parametrize(
    ("crossing", "context", "name"),
    [
        pytest.param("context.Pool(2).map(look, names)", _SPAWNED, "check/__main__.py", id="of another module"),
        pytest.param("context.Pool(2).map(check, names)", _FORKED, "check/__main__.py", id="forked"),
        pytest.param("context.Pool(2).map(check, names)", _SPAWNED, "check/run.py", id="a script in a package"),
        pytest.param(
            "get_reusable_executor(2).submit(check, 'index')", _SPAWNED, "check/__main__.py", id="sent by value"
        ),
        pytest.param(
            "Parallel(2)(delayed(check)(each) for each in names)", _SPAWNED, "check/__main__.py", id="sent by joblib"
        ),
    ],
)
def test_what_workers_find_though_a_package_is_run(tmp_path: Path, crossing: str, context: str, name: str) -> None:
    assert not _found_in_package(tmp_path, crossing, context, name)


def test_what_another_module_imports_from_the_main_module_of_a_package(tmp_path: Path) -> None:
    more = "import multiprocessing\n\nfrom check.__main__ import check\n\n\ndef all_of(names):\n"
    more += "    return multiprocessing.get_context('spawn').Pool(2).map(check, names)\n\n\nall_of([])\n"
    assert not _found_in_package(tmp_path, "pass", more=more)
