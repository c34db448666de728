"""What nothing in a complete program makes, or keeps, is only possibly shipped."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_source
from lintpickle.settings import SettingsResolver
from tests.support import lint_files

NEVER_MADE = """\
import importlib
from torch.utils.data import DataLoader, Dataset

class Old(Dataset):
    def __init__(self):
        self.read = lambda row: row

    def __len__(self):
        return 3

    def __getitem__(self, index):
        return self.read(index)

class New(Dataset):
    def __len__(self):
        return 3

    def __getitem__(self, index):
        return index

{more}

def main(name):
    for batch in DataLoader(New(), num_workers=2):
        print(batch)

if __name__ == "__main__":
    main("new")
"""


def _codes(text: str, folder: Path) -> list[str]:
    """What is reported by default in a program that stands alone."""
    path = folder / "example.py"
    path.write_text(text)
    outcome = lint_source(text, str(path), resolver=SettingsResolver(isolated=True))
    return [each.code for each in outcome.diagnostics if each.code in ("LP102", "LP301")]


@pytest.mark.parametrize(
    "more",
    [
        "",
        "# Old() is what was there before",
        "from old import (Other)",
        "from torch import nn\n\ndef make(name):\n    return getattr(nn, name.upper())()",
        "def show(options):\n    print(vars(options))",
        "def show(model, name):\n    print(getattr(model, name))",
        "def show(state_dict, self):\n    print(getattr(state_dict, self.name))",
    ],
)
def test_a_dataset_that_nothing_makes(more: str, tmp_path: Path) -> None:
    assert _codes(NEVER_MADE.format(more=more), tmp_path) == []


@pytest.mark.parametrize(
    "more",
    [
        "KINDS = {'old': Old}",
        "def make(name):\n    return globals()[name]()",
        "def make(name):\n    return getattr(importlib.import_module('data'), name)()",
        "class Newer(Old):\n    pass",
        "def make(name):\n    return vars(importlib)[name]()",
        "from . import nn\n\ndef make(name):\n    return getattr(nn, name.upper())()",
        "import example\n\ndef make(name):\n    return getattr(example, name)()",
        "import example as model\n\ndef make(name):\n    return getattr(model, name)()",
        "def make(models, name):\n    return getattr(models, name)()",
        "def make(nn, name):\n    return getattr(nn, name.upper())()",
        "def make():\n    return print([Old]), Old",
    ],
)
def test_a_dataset_that_something_may_make(more: str, tmp_path: Path) -> None:
    assert _codes(NEVER_MADE.format(more=more), tmp_path) != []


NEVER_CALLED = """\
import multiprocessing as mp


def begin_all(rows):
    mp.Process(target=lambda: print(rows)).start()


if __name__ == "__main__":
    print("nothing to start")
"""


@pytest.mark.parametrize(
    ("other", "codes"),
    [
        ("def begin_all(rows):\n    print(rows)\n\n\nbegin_all([1])\n", []),
        ("import rows as model\n\n\ndef begin_all(rows):\n    print(rows)\n\n\nbegin_all([1])\n", []),
        ("from program import begin_all\n\nbegin_all([1])\n", ["LP201"]),
        ("from program import *\n\n\ndef begin_all(rows):\n    print(rows)\n\n\nbegin_all([1])\n", ["LP201"]),
        ("def run(functions):\n    functions.begin_all([1])\n", ["LP201"]),
    ],
)
def test_a_function_of_that_name_in_another_file(other: str, codes: list[str], tmp_path: Path) -> None:
    found = lint_files(tmp_path, {"program.py": NEVER_CALLED, "other.py": other})
    assert [each.code for each in found if each.code == "LP201"] == codes


def test_a_dataset_of_what_is_no_script(tmp_path: Path) -> None:
    text = NEVER_MADE.format(more="").partition("if __name__")[0]
    assert _codes(text, tmp_path) != []


NO_LOADER = """\
from torch.utils.data import Dataset

class Photos(Dataset):
    def __init__(self, paths):
        self.paths = paths
        self.read = lambda path: open(path, "rb").read()

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        return self.read(self.paths[index])

def main(paths):
    photos = Photos(paths)
    {uses}

if __name__ == "__main__":
    main([])
"""


@pytest.mark.parametrize("uses", ["print(photos[0])", "for photo in photos:\n        print(photo)"])
def test_a_dataset_of_which_the_program_takes_the_items(uses: str, tmp_path: Path) -> None:
    assert _codes(NO_LOADER.format(uses=uses), tmp_path) == []


@pytest.mark.parametrize("uses", ["return photos", "train(photos)", "from ours import fit\n    fit(photos[0], photos)"])
def test_a_dataset_that_is_given_away(uses: str, tmp_path: Path) -> None:
    assert _codes(NO_LOADER.format(uses=uses), tmp_path) != []


MADE = """\
from torch.utils.data import DataLoader
from torchvision.transforms import CenterCrop, Compose

def transform(size):
    return Compose([CenterCrop(size), lambda image: image.convert("RGB")])

{more}

def main(data):
    {uses}
    return DataLoader(data, num_workers=2)

if __name__ == "__main__":
    main([])
"""
LOADS = "def load(name):\n    return name, transform(9)"


@pytest.mark.parametrize(
    ("more", "uses"),
    [
        ("", "pass"),
        ("", "# transform(9)"),
        ("", "data.transform = transform(9)"),
        ("KINDS = [transform]", "pass"),
        (LOADS, "data = load('a')[0]"),
    ],
)
def test_a_transform_that_nobody_is_seen_to_ship(more: str, uses: str, tmp_path: Path) -> None:
    assert _codes(MADE.format(more=more, uses=uses), tmp_path) == []


@pytest.mark.parametrize("uses", ["data = load('a')[1]", "data = load('a')[0], load('b')"])
def test_a_transform_that_a_loader_gets(uses: str, tmp_path: Path) -> None:
    assert _codes(MADE.format(more=LOADS, uses=uses), tmp_path) == ["LP102"]


UNUSED_LOADING = """\
from torch.utils.data import DataLoader

def slow(rows):
    for row in DataLoader(rows, num_workers=2, collate_fn=lambda rows: rows[0]):
        print(row)

{more}

def main():
    print(1)

if __name__ == "__main__":
    main()
"""


def _lambdas(more: str, folder: Path) -> list[str]:
    path = folder / "example.py"
    path.write_text(UNUSED_LOADING.format(more=more))
    outcome = lint_source(path.read_text(), str(path), resolver=SettingsResolver(isolated=True))
    return [each.code for each in outcome.diagnostics if each.code == "LP201"]


@pytest.mark.parametrize(
    "more",
    [
        "",
        "# slow([1])",
        "def groups():\n    return slow([1])",
        "class Rows:\n    def __getattr__(self, name):\n        return self.__dict__['_' + name]",
    ],
)
def test_a_boundary_that_nothing_gets_to(more: str, tmp_path: Path) -> None:
    assert _lambdas(more, tmp_path) == []


@pytest.mark.parametrize(
    "more",
    [
        "slow([1])",
        "HOOKS = {'slow': slow}",
        "def use(module):\n    return module.__dict__['slow']([1])",
        "class Case:\n    def run(self):\n        return slow([1])\n\n\nCASES = [Case]",
    ],
)
def test_a_boundary_that_something_may_get_to(more: str, tmp_path: Path) -> None:
    assert _lambdas(more, tmp_path) == ["LP201"]
