"""The setting `library`: what a package exports is judged as its users ship it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.diagnostics import Confidence, Outcome
from lintpickle.settings import SettingsResolver

PROJECT = '[project]\nname = "pkg"\nversion = "1"\n'
HOLDS_LAMBDA = "class {0}:\n    def __init__(self):\n        self.scale = lambda value: value / 2\n"
DATASET = (
    "from torch.utils.data import Dataset\n\n\n"
    "class Images(Dataset):\n    def __init__(self):\n        {0}\n\n"
    "    def __getitem__(self, index):\n        return index\n"
)
IDLE = (
    "from torch.utils.data import DataLoader\nfrom pkg.core import Images\n\n\n"
    "def main():\n    for each in DataLoader(Images()):\n        print(each)\n"
)
LAMBDA = "self.scale = lambda value: value / 2"


def _outcome(folder: Path, files: dict[str, str], library: bool = True) -> Outcome:
    for name, text in {"pyproject.toml": PROJECT, "pkg/__init__.py": "", **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return lint_paths([str(folder)], resolver=SettingsResolver(cwd=folder, overrides={"library": library}))


def _codes(folder: Path, files: dict[str, str], library: bool = True) -> list[tuple[str, str]]:
    return [(each.code, each.confidence.value) for each in _outcome(folder, files, library).diagnostics]


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({"pkg/core.py": HOLDS_LAMBDA.format("Scale")}, "LP102"),
        ({"pkg/_core.py": HOLDS_LAMBDA.format("Scale"), "pkg/__init__.py": "from pkg._core import Scale\n"}, "LP102"),
        ({"pkg/core.py": DATASET.format(LAMBDA), "pkg/run.py": IDLE}, "LP102"),
        ({"pkg/core.py": "import torch\n\n\n" + HOLDS_LAMBDA.format("Net(torch.nn.Module)")}, "LP102"),
        (
            {
                "pkg/core.py": "class ShardError(Exception):\n"
                "    def __init__(self, shard, reason):\n        super().__init__(f'{shard}: {reason}')\n"
            },
            "LP602",
        ),
        (
            {
                "pkg/core.py": "class Lazy:\n    def __init__(self, inner):\n        self.inner = inner\n\n"
                "    def __getattr__(self, name):\n        return getattr(self.inner, name)\n"
            },
            "LP601",
        ),
        (
            {
                "pkg/core.py": "class Table:\n    def __init__(self, rows):\n        self.rows = rows\n\n"
                "    def __getstate__(self, state):\n        return {}\n"
            },
            "LP614",
        ),
        (
            {
                "pkg/core.py": "from torchvision.transforms import Compose\n\n\n"
                "def transform():\n    return Compose([lambda image: image])\n"
            },
            "LP102",
        ),
        ({"pkg/core.py": "from collections import namedtuple\n\nPoint = namedtuple('point', 'x y')\n"}, "LP121"),
        ({"pkg/core.py": "import enum\n\nColor = enum.Enum('Colors', 'RED BLUE')\n"}, "LP125"),
        (
            {
                "pkg/core.py": "import enum\n\n\ndef choice_enum(names):\n    return enum.Enum('Choices', names)\n\n\n"
                "Color = choice_enum('RED BLUE')\n"
            },
            "LP125",
        ),
    ],
    ids=[
        "a public class",
        "exported from a private module",
        "a dataset that the package loads without workers",
        "a module",
        "an exception",
        "a proxy",
        "a class with a hook that cannot be called",
        "a transform that a function gives",
        "a made class",
        "a made enumeration",
        "an enumeration that a function makes",
    ],
)
def test_what_users_may_ship(tmp_path: Path, files: dict[str, str], found: str) -> None:
    assert _codes(tmp_path, files) == [(found, "likely")]
    assert _codes(tmp_path, files, library=False) == []


@pytest.mark.parametrize(
    "files",
    [
        {"pkg/core.py": HOLDS_LAMBDA.format("_Scale")},
        {"pkg/_core.py": HOLDS_LAMBDA.format("Scale")},
        {"pkg/_core.py": HOLDS_LAMBDA.format("Scale"), "pkg/__init__.py": "from pkg._core import Scale as _Scale\n"},
        {"tests/test_core.py": "import pkg\n\n\n" + HOLDS_LAMBDA.format("Scale")},
        {"pkg/core.py": HOLDS_LAMBDA.format("Scale") + "        self.file = open('log')\n"},
        {"pkg/core.py": "import threading\n" + HOLDS_LAMBDA.format("Scale") + "        self.l = threading.Lock()\n"},
        {"pkg/core.py": "def make():\n    " + HOLDS_LAMBDA.format("Scale").replace("\n", "\n    ") + "\n"},
        {
            "pkg/core.py": HOLDS_LAMBDA.format("Scale")
            + "\n    def __getstate__(self):\n        return {}\n"
        },
        {
            "pkg/core.py": "from torchvision.transforms import Compose\n\n\n"
            "def _transform():\n    return Compose([lambda image: image])\n"
        },
        {"pkg/core.py": "from collections import namedtuple\n\n_Point = namedtuple('point', 'x y')\n"},
        {"pkg/core.py": "from collections import namedtuple\n\nPoint = namedtuple('Point', 'x y')\n"},
        {"pkg/core.py": "from collections import namedtuple\n\nclass P(namedtuple('point', 'x y')):\n    pass\n"},
    ],
    ids=[
        "a private class",
        "in a private module",
        "exported under a private name",
        "in a test",
        "of a file",
        "of a lock",
        "a local class",
        "left out of the state",
        "a transform that a private function gives",
        "a private made class",
        "a made class of its name",
        "the base of a class",
    ],
)  # fmt: skip
def test_what_users_do_not_ship(tmp_path: Path, files: dict[str, str]) -> None:
    assert _codes(tmp_path, files) == []


@pytest.mark.parametrize(
    ("files", "suggested"),
    [
        ({"pkg/core.py": DATASET.format("pass"), "pkg/__init__.py": "from pkg.core import Images\n"}, True),
        ({"pkg/core.py": DATASET.format("pass")}, False),
        ({"pkg/core.py": HOLDS_LAMBDA.format("Scale"), "pkg/__init__.py": "from pkg.core import Scale\n"}, False),
        (
            {
                "pkg/core.py": DATASET.format("pass"),
                "pkg/__init__.py": "from pkg.core import Images\n",
                "pkg/run.py": IDLE.replace("Images())", "Images(), num_workers=2)"),
            },
            False,
        ),
        (
            {
                "pkg/core.py": DATASET.format("pass"),
                "pkg/__init__.py": "from pkg.core import Images\n",
                "pyproject.toml": "",
            },
            False,
        ),
    ],
    ids=["a dataset", "nothing exported", "another class", "the package has workers", "no package"],
)
def test_where_the_setting_is_suggested(tmp_path: Path, files: dict[str, str], suggested: bool) -> None:
    assert _outcome(tmp_path, files, library=False).suggests_library is suggested
    assert _outcome(tmp_path, files).suggests_library is False


STARTING = "{}\n\n\ndef work(item):\n    return item\n\n\ndef main(items):\n    {}\n"


@pytest.mark.parametrize(
    ("imported", "run", "suggested"),
    [
        ("import mmcv", "mmcv.track_parallel_progress(work, items, 4)", False),
        ("import mmcv", "mmcv.track_progress(work, items)", True),
        ("from pqdm.processes import pqdm", "pqdm(items, work, 4)", False),
        ("from pqdm.processes import pqdm", "pqdm(items, work, 1)", True),
        ("from joblib import Parallel, delayed", "Parallel(2)(delayed(work)(each) for each in items)", False),
        ("from joblib import Parallel, delayed", "Parallel(1)(delayed(work)(each) for each in items)", True),
        ("from loky import get_reusable_executor", "get_reusable_executor().submit(work, items)", False),
        ("from dask.distributed import Client", "Client().map(work, items)", False),
        ("import datasets", "datasets.load_dataset('names').map(work, num_proc=4)", False),
        ("import datasets", "datasets.load_dataset('names').map(work)", True),
        ("import multiprocessing", "multiprocessing.Manager()", False),
        ("import cloudpickle", "cloudpickle.dumps(work)", True),
        ("import copy", "copy.deepcopy(items)", True),
    ],
)
def test_a_package_that_sends_to_processes_of_a_library(
    tmp_path: Path, imported: str, run: str, suggested: bool
) -> None:
    files = {
        "pkg/core.py": DATASET.format("pass"),
        "pkg/__init__.py": "from pkg.core import Images\n",
        "pkg/run.py": STARTING.format(imported, run),
    }
    assert _outcome(tmp_path, files, library=False).suggests_library is suggested


RETURNED = """\
class _Wrapper:
    def __init__(self, lower, *parts):
        self._lower = lower
        self._parts = parts


class Table:
    rows = dict(first=lambda row: row[0], last=lambda row: row[-1])

    @classmethod
    def select(cls, key):
        return _Wrapper(cls.rows[key])


def arange(n):
    return _Wrapper(lambda l: l + 1, n)


def _private(n):
    return _Wrapper(lambda l: l + 2, n)


def both(n):
    return _private(n), n


def _hidden(n):
    return _Wrapper(lambda l: l + 3, n)


def ordered(rows):
    return _Wrapper(sorted, sorted(rows, key=lambda row: -row), list(map(lambda row: row + 1, rows)))
"""
"""What functions make and return: `_hidden` is for the library itself, and `ordered` keeps no lambda."""


def test_functions_held_by_what_a_function_of_a_library_returns(tmp_path: Path) -> None:
    outcome = _outcome(tmp_path, {"kit/__init__.py": "", "kit/arrays.py": RETURNED})
    assert [each.location.start.row for each in outcome.diagnostics] == [8, 8, 16, 20]
    assert all(each.confidence is Confidence.LIKELY for each in outcome.diagnostics)


def test_no_library_gives_nothing_to_users(tmp_path: Path) -> None:
    assert not _codes(tmp_path, {"kit/__init__.py": "", "kit/arrays.py": RETURNED}, library=False)


NESTED = """\
class Parameter:
    def __init__(self, name, function=None):
        self.name = name
        self._function = function


class Component:
    def __init__(self):
        self.names = []

    def add(self, parameter):
        if parameter.name not in self.names:
            self.names.append(parameter.name)
        setattr(self, parameter.name, parameter)


class Binary(Component):
    def __init__(self):
        super().__init__()
        self.add(Parameter("kin"))
        self.add(Parameter("kom", function=lambda kin: 180 - kin))
"""


def test_what_a_part_of_an_object_of_a_library_holds(tmp_path: Path) -> None:
    assert [row for _, row in _rows(tmp_path, NESTED)] == [21]
    assert not _rows(tmp_path, NESTED.replace("function=lambda kin: 180 - kin", "function=abs"))


STORED_LATER = """\
class Namespace:
    def define(self, name, gradient=None):
        if gradient:
            setattr(self, gradient, lambda value: value)

    def _prepare(self):
        self.order = lambda value: value

    def compute(self, values):
        self.last = max(values, key=lambda value: -value)
"""


def test_functions_that_public_methods_store(tmp_path: Path) -> None:
    assert _rows(tmp_path, STORED_LATER) == [("LP102", 4)]


def _rows(folder: Path, text: str) -> list[tuple[str, int]]:
    found = _outcome(folder, {"kit/__init__.py": "", "kit/objects.py": text}).diagnostics
    return [(each.code, each.location.start.row) for each in found]


CACHED = """\
import functools


class Compiled:
    def __init__(self, expression):
        self.expression = expression

    @functools.{decorator}
    def function(self):
        def run(values):
            return eval(self.expression, values)

        return run

    @functools.cached_property
    def size(self):
        return max(self.expression, key=lambda each: -each)
"""


def test_functions_that_cached_properties_keep(tmp_path: Path) -> None:
    assert _rows(tmp_path, CACHED.format(decorator="cached_property")) == [("LP103", 13)]
    assert not _rows(tmp_path, CACHED.replace("functools.{decorator}", "property"))


CHANGED = """\
import torch
from torch import nn


class Net(nn.Module):
    pass


def checkpointed(module):
    original = module.forward

    def forward(*inputs):
        return original(*inputs)

    module.forward = forward
    return module


def matcher(func):
    func.matches = lambda name: name
    return func


def _quiet(module):
    module.forward = lambda rows: rows
    return module


def normed(shape):
    class Normed(nn.LayerNorm):
        pass

    return Normed(shape)


def timed():
    class Timer:
        pass

    return Timer()
"""


def test_functions_stored_on_what_is_returned_and_local_modules(tmp_path: Path) -> None:
    assert _rows(tmp_path, CHANGED) == [("LP103", 15), ("LP104", 30)]


def test_what_functions_return_that_are_not_for_users(tmp_path: Path) -> None:
    assert not _codes(tmp_path, {"kit/__init__.py": "", "kit/_modules.py": CHANGED})
    assert not _codes(tmp_path, {"kit/__init__.py": "", "kit/modules.py": CHANGED}, library=False)
