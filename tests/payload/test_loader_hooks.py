"""A function that is stored on a loader which is made elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver
from tests.support import marks

CODE = """\
import numpy as np
from frames import Trainer, make_loader
from torch.utils.data import DataLoader


def seed(number):
    np.random.seed(number)


class Own(Trainer):
    def _before_epoch(self):
        {kept}{target} = {value}


def run(dataset):
    return DataLoader(dataset, num_workers=2)
"""
LAMBDA = "lambda number: np.random.seed(self.seed + number)"


@pytest.mark.parametrize(
    ("kept", "target"),
    [
        ("", "self.dataflow.worker_init_fn"),
        ("loader = make_loader(self)\n        ", "loader.worker_init_fn"),
        ("loader = self.frame.loaders['train']\n        ", "loader.worker_init_fn"),
    ],
)
def test_a_lambda(kept: str, target: str) -> None:
    assert [code for _, code in marks(CODE.format(kept=kept, target=target, value=LAMBDA))] == ["LP201"]


def test_a_local_function() -> None:
    kept = "def start(number):\n            self.start(number)\n\n        "
    assert [code for _, code in marks(CODE.format(kept=kept, target="self.flow.worker_init_fn", value="start"))] == [
        "LP202"
    ]


@pytest.mark.parametrize(
    ("kept", "target", "value"),
    [
        ("", "self.dataflow.worker_init_fn", "seed"),
        ("", "self.dataflow.worker_init_fn", "None"),
        ("", "self.dataflow.collate_fn", LAMBDA),
        ("", "self.worker_init_fn", LAMBDA),
        ("loader = DataLoader([1], num_workers=0)\n        ", "loader.worker_init_fn", LAMBDA),
    ],
)
def test_what_workers_do_not_get(kept: str, target: str, value: str) -> None:
    assert marks(CODE.format(kept=kept, target=target, value=value)) == []


def test_without_a_loader_in_sight_it_is_merely_possible(tmp_path: Path) -> None:
    (tmp_path / "hooks.py").write_text("def seeded(loader, seed):\n    loader.worker_init_fn = lambda n: seed + n\n")
    for is_pedantic, expected in ((False, []), (True, ["LP201"])):
        resolver = SettingsResolver(cwd=tmp_path, isolated=True, overrides={"pedantic": is_pedantic})
        outcome = lint_paths([str(tmp_path)], resolver=resolver)
        assert [each.code for each in outcome.diagnostics] == expected
