"""Datasets of which the program itself makes objects that no loader gets."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths, lint_source
from lintpickle.diagnostics import Confidence
from lintpickle.settings import SettingsResolver
from tests.support import marks

TEXT = """\
import threading

import torch
from torch.utils.data import ConcatDataset, DataLoader, Dataset, Subset, random_split


class Locked(Dataset):
    def __init__(self, rows):
        self.rows = rows
        self.lock = threading.Lock()

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return index


class Plain(Dataset):
    def __init__(self, inner=None):
        self.inner = inner

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return index


def main(path):
    {steps}


if __name__ == "__main__":
    main("rows")
"""
STAYS = {
    "looked at": "print(len(Locked([1])))\n    print(list(DataLoader(Plain(), num_workers=2)))",
    "kept": "locked = Locked([1])\n    print(locked[0])\n    print(list(DataLoader(Plain(), num_workers=2)))",
    "a part of it": (
        "parts = random_split(Locked([1]), [2, 2])\n    print(len(parts))\n"
        "    print(list(DataLoader(Plain(), num_workers=2)))"
    ),
}
SHIPPED = {
    "loaded": "print(list(DataLoader(Locked([1]), num_workers=2)))",
    "a part of it": "print(list(DataLoader(random_split(Locked([1]), [2, 2])[0], num_workers=2)))",
    "unpacked parts": (
        "first, second = random_split(Locked([1]), [2, 2])\n    print(list(DataLoader(second, num_workers=2)))"
    ),
    "inside": "print(list(DataLoader(Plain(Locked([1])), num_workers=2)))",
    "a view": "print(list(DataLoader(Subset(Locked([1]), [0]), num_workers=2)))",
    "joined": "print(list(DataLoader(ConcatDataset([Plain(), Locked([1])]), num_workers=2)))",
    "an unknown loaded": (
        "KEPT.append(Locked([1]))\n    print(list(DataLoader(torch.load(path, weights_only=False), num_workers=2)))\n"
        "    print(list(DataLoader(unknown(path), num_workers=2)))"
    ),
    "given to a library": (
        "torch.hub.load_state_dict_from_url(Locked([1]))\n    print(list(DataLoader(Plain(), num_workers=2)))"
    ),
    "no loader": "print(len(Locked([1])))",
    "made by nobody": "print(list(DataLoader(Plain(), num_workers=2)))",
}


@pytest.mark.parametrize("steps", [pytest.param(steps, id=name) for name, steps in STAYS.items()])
def test_what_no_loader_gets_is_left_alone(steps: str) -> None:
    assert marks(TEXT.format(steps=steps)) == []


@pytest.mark.parametrize("steps", [pytest.param(steps, id=name) for name, steps in SHIPPED.items()])
def test_what_a_loader_gets_or_may_get_is_found(steps: str) -> None:
    assert (10, "LP111") in marks(TEXT.format(steps=steps))


FORWARD = """\
import threading

from tqdm import tqdm
from torch.utils.data import DataLoader, Dataset


class Locked(Dataset):
    def __init__(self, rows):
        self.rows = rows
        self.lock = threading.Lock()

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return index

{methods}

def total(rows, start=0):
    for index, row in tqdm(enumerate(rows), total=len(rows)):
        start += row
    return start + first(rows)


def first(rows):
    return rows[0] + rows.rows[0]


def kept(rows):
    KEPT.append(rows)


def loaded(rows):
    return unknown(rows)


def given_back(rows):
    return rows


def evaluate(path):
    locked = Locked([1])
    {steps}


def train(path):
    print(list(DataLoader(unknown(path), num_workers=2)))


if __name__ == "__main__":
    evaluate("rows")
    train("rows")
"""
READ = [
    ("total(*[locked])", ""),
    ("print(total(locked))", ""),
    ("rows = locked\n    print(total(rows=rows), rows[1])", ""),
    ("print(locked.size())", "    def size(self):\n        return total(self.rows)"),
]
GIVEN = [
    ("kept(locked)", ""),
    ("loaded(locked)", ""),
    ("loaded(given_back(locked))", ""),
    ("loaded([locked])", ""),
    ("return locked", ""),
    ("path.rows = locked", ""),
    ("unknown(locked)", ""),
    ("def later():\n        return unknown(locked)\n    later()", ""),
    ("print(locked.size())", "    def size(self):\n        return unknown(self)"),
    ("print(locked.size())\nMAKE = {'locked': Locked}", "    def size(self):\n        return 4"),
]


@pytest.mark.parametrize(("steps", "methods"), READ)
def test_what_the_program_only_reads_is_left_alone_whatever_is_loaded(steps: str, methods: str, tmp_path: Path) -> None:
    assert _codes(FORWARD.format(steps=steps, methods=methods), tmp_path) == []


@pytest.mark.parametrize(("steps", "methods"), GIVEN)
def test_what_goes_on_to_something_else_is_found(steps: str, methods: str, tmp_path: Path) -> None:
    assert _codes(FORWARD.format(steps=steps, methods=methods), tmp_path) == ["LP111"]


def _codes(text: str, folder: Path) -> list[str]:
    """What is reported by default in a program that stands alone."""
    path = folder / "example.py"
    path.write_text(text)
    outcome = lint_source(text, str(path), resolver=SettingsResolver(isolated=True))
    return [each.code for each in outcome.diagnostics]


_SPLICED = """from torch.utils.data import IterableDataset


class Spliced(IterableDataset):
    def __init__(self, rows, fetch=None):
        self.rows = rows
        self.fetch = fetch or (lambda row: row["text"])

    def __iter__(self):
        return map(self.fetch, self.rows)
"""
_SPLICING = """from rows.spliced import Spliced
from torch.utils.data import DataLoader


def main(rows, other):
    spliced = Spliced(rows)
    for row in spliced:
        print(row)
    print(list(DataLoader(other, num_workers=2)))
    {more}


if __name__ == "__main__":
    main([{{"text": "a"}}], unknown())
"""


@pytest.mark.parametrize(
    ("exported", "more", "expected"),
    [
        ("", "pass", []),
        ("", "print(list(DataLoader(spliced, num_workers=2)))", ["LP102"]),
        ("", "keep(spliced)", ["LP102"]),
        ("from rows.spliced import Spliced", "pass", ["LP102"]),
        ("import rows.spliced\n\n\ndef made(name):\n    return getattr(rows.spliced, name)", "pass", ["LP102"]),
    ],
    ids=["only read", "loaded", "given away", "offered to users", "got at by name"],
)
def test_what_a_distribution_only_reads_itself(exported: str, more: str, expected: list[str], tmp_path: Path) -> None:
    package = tmp_path / "rows"
    package.mkdir()
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'rows'\n")
    (package / "__init__.py").write_text(exported)
    (package / "spliced.py").write_text(_SPLICED)
    (tmp_path / "splice.py").write_text(_SPLICING.format(more=more))
    outcome = lint_paths([str(tmp_path)], resolver=SettingsResolver(isolated=True))
    shown = [each for each in outcome.diagnostics if each.confidence is not Confidence.POSSIBLE]
    assert [each.code for each in shown if each.code == "LP102"] == expected


SCRIPT = """\
import os
import sys

import numpy as np
from torch.utils.data import DataLoader, Dataset


class Arrays(Dataset):
    def __init__(self, names):
        self.names = names

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        return np.load(os.path.join(folder, self.names[index]))


if __name__ == "__main__":
    folder = sys.argv[1]
    test = Arrays(os.listdir(folder))
    {steps}
"""
TRAINING = """\
import sys
from pathlib import Path

from torch.utils.data import DataLoader


def load(name, path, build):
    found = globals()[name]
    return DataLoader(build(found, path), num_workers=int(sys.argv[2]))
"""


@pytest.mark.parametrize(
    ("steps", "training", "told"),
    [
        ("for i in range(len(test)):\n        print('test', test[i])", TRAINING, False),
        ("for array in test:\n        print(array)", TRAINING, False),
        ("print(list(DataLoader(test, num_workers=2)))", TRAINING, True),
        ("save = print\n    save(test)", TRAINING, True),
        ("for i in range(len(test)):\n        print(test[i])", f"from convert import Arrays\n{TRAINING}", True),
    ],
)
def test_a_script_that_reads_its_dataset(tmp_path: Path, steps: str, training: str, told: bool) -> None:
    """Whether its dataset is told of, where the rest of the program gets at classes by their names."""
    (tmp_path / "convert.py").write_text(SCRIPT.format(steps=steps))
    (tmp_path / "train.py").write_text(training)
    found = lint_paths([str(tmp_path)], resolver=SettingsResolver(isolated=True)).diagnostics
    assert [each.code for each in found if each.confidence is not Confidence.POSSIBLE] == ["LP208"] * told


_DATA = """\
import threading

from torch.utils.data import Dataset


class Frames(Dataset):
    def __init__(self, folder):
        self.folder = folder
        self.lock = threading.Lock()

    def __getitem__(self, index):
        return index


def load_frames(folder):
    return Frames(folder)
"""
_TRACKING = """\
from frames import load_frames
{imported}

def track(frames):
    return frames[0]


def main(folder):
    frames = load_frames(folder)
    {use}


{started}
"""
_GUARDED = 'if __name__ == "__main__":\n    main("frames")'


@pytest.mark.parametrize(
    ("imported", "use", "started", "expected"),
    [
        ("", "print(track(frames))", _GUARDED, []),
        ("", "for index in range(3):\n        track(frames)", _GUARDED, []),
        ("from torch.utils.data import DataLoader", "print(DataLoader(frames, num_workers=2))", _GUARDED, ["LP111"]),
        ("from transformers import Trainer", "Trainer(train_dataset=frames).train()", _GUARDED, ["LP111"]),
        ("from lib import get_data_loader", "print(get_data_loader(frames))", _GUARDED, ["LP111"]),
        ("", "print(track(frames))", "", ["LP111"]),
        ("", "track(frames).backward()", "", []),
        ("from lib import get_data_loader", "get_data_loader(frames)[0].backward()", "", ["LP111"]),
        ("from transformers import Trainer", "Trainer(train_dataset=frames).loss.backward()", "", ["LP111"]),
    ],
)
def test_what_a_program_without_loaders_uses(
    imported: str, use: str, started: str, expected: list[str], tmp_path: Path
) -> None:
    (tmp_path / "frames.py").write_text(_DATA)
    (tmp_path / "track.py").write_text(_TRACKING.format(imported=imported, use=use, started=started))
    found = lint_paths([str(tmp_path)], resolver=SettingsResolver(isolated=True)).diagnostics
    assert [each.code for each in found] == expected


def test_what_a_test_without_loaders_uses(tmp_path: Path) -> None:
    (tmp_path / "frames.py").write_text(_DATA)
    (tmp_path / "tests").mkdir()
    tracking = _TRACKING.format(imported="", use="print(track(frames))", started=_GUARDED)
    (tmp_path / "tests" / "test_track.py").write_text(tracking)
    found = lint_paths([str(tmp_path)], resolver=SettingsResolver(isolated=True)).diagnostics
    assert [each.code for each in found] == ["LP111"]


_OWN_LOADER = """\
{imported}


class DataLoader{bases}:
    def __init__(self, dataset):
        self.dataset = dataset

    def __iter__(self):
        return iter(self.dataset)
"""
_LOADING = """\
from frames import load_frames
{imported}


def get_dataloader(frames):
    return {made}(frames)


def main(folder):
    dataloader = get_dataloader(load_frames(folder))
    print(list(dataloader), "what may fit")


if __name__ == "__main__":
    main("frames")
"""
_FROM_OWN = "from loaders import DataLoader"


@pytest.mark.parametrize(
    ("own", "bases", "imported", "made", "expected"),
    [
        ("import math", "", _FROM_OWN, "DataLoader", []),
        ("import math", "(object)", "import loaders", "loaders.DataLoader", []),
        ("from batches import Base", "(Base)", _FROM_OWN, "DataLoader", ["LP111"]),
        ("from torch.utils.data import DataLoader as Loader", "(Loader)", _FROM_OWN, "DataLoader", ["LP111"]),
        ("import math", "", f"import lib\n{_FROM_OWN}", "lib.get_data_loader", ["LP111"]),
        ("import math", "", f"from lib import get_data_loader\n{_FROM_OWN}", "get_data_loader", ["LP111"]),
        ("import math", "", "from torch_geometric.loader import NeighborLoader", "NeighborLoader", ["LP111"]),
        ("import math", "", f"{_FROM_OWN}\nfrom multiprocessing import Pool\nPool(2)", "DataLoader", ["LP111"]),
        ("import math", "", f"{_FROM_OWN}\ndef go(trainer):\n    trainer.fit(1)", "DataLoader", ["LP111"]),
    ],
    ids=["own", "of-module", "base", "of-torch", "lib", "from-lib", "other", "workers", "trainer"],
)
def test_what_a_program_loads_by_a_class_of_its_own(
    own: str, bases: str, imported: str, made: str, expected: list[str], tmp_path: Path
) -> None:
    (tmp_path / "frames.py").write_text(_DATA)
    (tmp_path / "loaders.py").write_text(_OWN_LOADER.format(imported=own, bases=bases))
    (tmp_path / "track.py").write_text(_LOADING.format(imported=imported, made=made))
    found = lint_paths([str(tmp_path)], resolver=SettingsResolver(isolated=True)).diagnostics
    assert [each.code for each in found if each.code == "LP111"] == expected


_KEEPING = """\
import threading

from torch.utils.data import DataLoader, Dataset, IterableDataset


class Inner(Dataset):
    def __getitem__(self, index):
        return index


class Around({base}):
    def __init__(self, size):
        self.lock = threading.Lock()
        self.inner = Inner()
        self.loader = DataLoader(self.inner, batch_size=size, num_workers=2)

    {method}


{more}


def make(size, keep):
    around = Around(size)
    keep(around)
"""


@pytest.mark.parametrize(
    ("base", "method", "more", "told"),
    [
        ("Dataset", "def images(self):\n        return iter(self.loader)", "", False),
        ("IterableDataset", "def images(self):\n        return iter(self.loader)", "", False),
        ("Dataset", "def __getitem__(self, index):\n        return index", "", True),
        ("Dataset", "def __getattr__(self, name):\n        return getattr(self.inner, name)", "", True),
        ("Dataset", "__getitems__ = list", "", True),
        ("Inner", "def images(self):\n        return iter(self.loader)", "", True),
        ("IterableDataset", "def __iter__(self):\n        return iter([])", "", True),
        ("Dataset", "size = 1", "class More(Around):\n    def __getitem__(self, index):\n        return 1", True),
        ("Dataset", "size = 1", "print(list(DataLoader(Around(1), num_workers=2)))", True),
    ],
)
def test_a_dataset_that_gives_no_items(base: str, method: str, more: str, told: bool, tmp_path: Path) -> None:
    """What it holds matters where a loader is seen to get it, or a class that derives from it gives items."""
    (tmp_path / "frames.py").write_text(_KEEPING.format(base=base, method=method, more=more))
    found = lint_paths([str(tmp_path)], resolver=SettingsResolver(isolated=True)).diagnostics
    assert ("LP111" in [each.code for each in found]) is told
