"""What public threads taught about which line comes first, and about lines where no rule finds fault."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import lintpickle.catalog
from lintpickle.catalog import load_catalog
from lintpickle.rules import all_rules
from lintpickle.rules._shared.products import ProductRule
from lintpickle.tracebacks.candidates import BY_SUBJECT
from lintpickle.tracebacks.recognition import subjects

from .reading import explained, line, reading
from .test_trace import failing, written

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

CATALOG = Path(lintpickle.catalog.__file__).parent

LAMBDAS = """class Server:
    def __init__(self):
        self.queue = []
        Manager.register("get_queue", callable=lambda: self.queue)
        Manager.register("get_data", callable=lambda: self.data)
"""
GUARDED = """from multiprocessing import Pool

if __name__ == "__main__":
    def parse(path):
        print(path)

    with Pool(4) as pool:
        pool.map(parse, ["a"])
"""
CASES = """from multiprocessing import get_context
from unittest import TestCase

spawn = get_context("spawn")


class FirstTest(TestCase):
    def setUp(self):
        self.server = spawn.Process(target=self.serve)
        self.server.start()

    def serve(self):
        pass

    def test_first(self):
        pass


class SecondTest(TestCase):
    def setUp(self):
        self.server = spawn.Process(target=self.serve)
        self.server.start()

    def serve(self):
        pass

    def test_second(self):
        pass
"""
SAVES = """import torch
from torchvision.models import resnet18


class Emotic(torch.nn.Module):
    pass


torch.save(resnet18(), "context.pt")
torch.save(Emotic(), "emotic.pt")
"""


class TestWhichComesFirst:
    def test_the_file_that_the_message_names(self, tmp_path: Path) -> None:
        folder = written(tmp_path, {"apply.py": GUARDED, "grant.py": GUARDED})
        for name in ("apply.py", "grant.py"):
            text = f"AttributeError: Can't get attribute 'parse' on <module '__mp_main__' from '/home/u/{name}'>"
            assert line(explained(text, folder)) == f"{name}:4"

    @pytest.mark.parametrize(("row", "name"), [(10, "FirstTest"), (22, "SecondTest")])
    def test_the_object_whose_methods_the_frames_go_through(self, tmp_path: Path, row: int, name: str) -> None:
        frame = f'File "/home/u/test_server.py", line {row}, in setUp\n    self.server.start()'
        found = explained(failing("_io.TextIOWrapper", frame), written(tmp_path, {"test_server.py": CASES}))
        assert name in found.candidates[0].diagnostic.message

    def test_the_class_that_was_saved(self, tmp_path: Path) -> None:
        text = "AttributeError: Can't get attribute 'Emotic' on <module '__main__' from 'main.py'>"
        assert line(explained(text, written(tmp_path, {"train.py": SAVES}))) == "train.py:10"

    def test_the_script_that_defines_what_was_saved_from_main(self, tmp_path: Path) -> None:
        text = "AttributeError: Can't get attribute 'Emotic' on <module '__main__' from 'main.py'>"
        imported = "import torch\nfrom emotic import Emotic\n\ntorch.save(Emotic(), 'a.pt')\n"
        files = {"emotic.py": "import torch\n\n\nclass Emotic(torch.nn.Module):\n    pass\n", "a_train.py": imported}
        assert line(explained(text, written(tmp_path, {**files, "train.py": SAVES}))) == "train.py:10"

    def test_of_files_with_one_name_that_with_most_of_the_lines(self, tmp_path: Path) -> None:
        loader = (
            "from torch.utils.data import DataLoader\n\n\ndef main():\n    {name} = DataLoader([1], num_workers=2,"
            " collate_fn=lambda batch: batch)\n    for each in {name}:\n        print(each)\n\n\nmain()\n"
        )
        folder = written(
            tmp_path, {"a/train.py": loader.format(name="first"), "b/train.py": loader.format(name="second")}
        )
        text = """Traceback (most recent call last):
  File "/home/u/train.py", line 10, in <module>
    main()
  File "/home/u/train.py", line 6, in main
    for each in second:
AttributeError: Can't pickle local object 'main.<locals>.<lambda>'
"""
        explanation = explained(text, folder)
        assert explanation.candidates[0].diagnostic.location.path == str(folder / "b" / "train.py")


class TestNamesOfTheMessage:
    @pytest.mark.parametrize(
        ("told", "name"),
        [
            ("make.<locals>.inner", "make.<locals>.inner"),
            ("Boxes.rows.<locals>.<lambda>", "Boxes.rows.<locals>.<lambda>"),
            ("Boxes.rows. locals .lambda", "Boxes.rows.<locals>.<lambda>"),
            ("Boxes.rows..", "Boxes.rows.<locals>.<lambda>"),
            ("make..inner", "make.<locals>.inner"),
            ("pkg.make.inner", "pkg.make.inner"),
        ],
    )
    def test_angles_that_a_page_took_for_markup(self, told: str, name: str) -> None:
        error = reading(f"AttributeError: Can't pickle local object '{told}'").error
        assert error is not None
        assert error.name == name

    def test_of_several_lambdas_the_one_with_what_the_notes_name(self, tmp_path: Path) -> None:
        text = "AttributeError: Can't pickle local object 'Server.__init__.<locals>.<lambda>'\n"
        notes = "when serializing tuple item 0\nwhen serializing dict item 'get_data'\nwhen serializing tuple item 0\n"
        folder = written(tmp_path, {"server.py": LAMBDAS})
        assert [each.location.start.row for each in explained(text + notes, folder).named] == [5]
        assert [each.location.start.row for each in explained(text, folder).named] == [4, 5]


OPENED_LATER = """import sqlite3


class Service:
    def __init__(self):
        self.connection = None

    def connect(self, path):
        self.connection = sqlite3.connect(path)
"""
DECORATED = """from sqlite3 import connect


def opened(method):
    def wrapper(me):
        me.connection = connect("a.db")
        return method(me)

    return wrapper
"""
PROCESSES = """from multiprocessing import Process


class Loader:
    def __init__(self):
        self.pool = []
        for _ in range(4):
            worker = Process(target=self.work)
            self.pool.append(worker)

    def work(self):
        pass
"""


class TestWhoKeepsSuchAnObject:
    @pytest.mark.parametrize(
        ("type_", "code", "row", "what"),
        [
            ("sqlite3.Connection", OPENED_LATER, 9, "`connection` is set to an object of that type here"),
            ("sqlite3.Connection", DECORATED, 6, "`connection` is set to an object of that type here"),
            ("weakref", PROCESSES, 9, "`self.pool` gets an object of that type here"),
        ],
    )
    def test_it_is_named(self, tmp_path: Path, type_: str, code: str, row: int, what: str) -> None:
        named = explained(failing(type_), written(tmp_path, {"service.py": code})).named
        assert [(each.location.start.row, each.what) for each in named] == [(row, what)]

    def test_another_type_is_not(self, tmp_path: Path) -> None:
        assert not explained(failing("_thread.lock"), written(tmp_path, {"service.py": OPENED_LATER})).is_found


def _described() -> Iterator[tuple[str, str]]:
    """The kind and the error of each object that the catalog describes with an error of its own."""
    for path in sorted(CATALOG.glob("*.toml")):
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
        for name in ("product", "method", "view", "value"):
            yield from (
                (each["kind"], each["error"]) for each in tables.get(name, ()) if {"kind", "error"} <= each.keys()
            )


def test_the_rule_of_each_object_is_asked_for_the_error_that_it_gives() -> None:
    """A client that fails with "Can't pickle local object 'create_engine.<locals>.connect'" is found by that error."""
    catalog = load_catalog()
    rule_of = {kind: rule.code for rule in all_rules() if issubclass(rule, ProductRule) for kind in rule.kinds}
    checked = 0
    for kind, text in _described():
        error = next(subjects([text], catalog), None)
        if error is not None and error.kind.kind in BY_SUBJECT and kind in rule_of:
            assert rule_of[kind] in error.kind.rules, text
            checked += 1
    assert checked > 60
