"""What a function makes that is shipped by its kind, and returns with functions in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver
from tests.support import marks

CODE = """\
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __init__(self, transform):
        self.transform = transform

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return self.transform(index)


class Report:
    def __init__(self, order):
        self.order = order


def build(scale):
    return Rows({transform})


def report():
    return Report(lambda row: row[0])


def run(dataset):
    return DataLoader(dataset, num_workers={workers})
"""


def test_a_dataset_that_a_function_gives_a_lambda() -> None:
    assert marks(CODE.format(transform="lambda value: value * scale", workers=2)) == [(21, "LP102")]


@pytest.mark.parametrize(("transform", "workers"), [("abs", 2), ("lambda value: value * scale", 0)])
def test_a_dataset_that_holds_none_or_is_not_shipped(transform: str, workers: int) -> None:
    assert not marks(CODE.format(transform=transform, workers=workers))


def test_what_another_module_makes_is_told_where_it_is_made(tmp_path: Path) -> None:
    filler = "# a longer file\n" * 200
    (tmp_path / "base.py").write_text(
        f"{filler}class Base:\n    @classmethod\n    def load(cls, read):\n        return cls(read)\n"
    )
    (tmp_path / "own.py").write_text(
        "from base import Base\n\n\nclass Own(Base):\n    def __init__(self, read):\n        self.read = read\n\n"
        "    @classmethod\n    def load(cls, path):\n        return super().load(lambda: path)\n"
    )
    resolver = SettingsResolver(cwd=tmp_path, isolated=True, overrides={"pedantic": True})
    outcome = lint_paths([str(tmp_path)], resolver=resolver)
    assert not outcome.defects
    [found] = outcome.diagnostics
    assert found.code == "LP102"
    assert Path(found.trail[0].location.path).name == "base.py"
