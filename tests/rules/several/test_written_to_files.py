"""LP501, LP502, LP503 and LP505: what is written to files, and what must stay silent."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver
from tests.rules.written_to_files import lint_files
from tests.support import marks

BOUND_AGAIN = """\
import pickle
import torch
from torch import nn


class Net(nn.Module):
    pass


def keep(state):
    return state


{block}
"""


@pytest.mark.parametrize(
    "block",
    [
        "net = Net()\nnet = net.state_dict()\ntorch.save(net, 'a.pt')",
        "if __name__ == '__main__':\n    net = Net()\n    net = net.state_dict()\n    torch.save(net, 'a.pt')",
        "if __name__ == '__main__':\n    net = Net()\n    net = net.state_dict()\n"
        "    torch.save(dict(g=keep(net)), 'a.pt')",
        "for name in 'ab':\n    net = Net()\n    net = net.state_dict()\n    torch.save(net, name)",
        "if __name__ == '__main__':\n    net = Net()\n    with torch.no_grad():\n        net = net.state_dict()\n"
        "        torch.save(net, 'a.pt')",
        "if __name__ == '__main__':\n    f = lambda: 1\n    f = len\n    pickle.dumps(f)",
    ],
)
def test_what_a_module_binds_anew_is_no_longer_what_it_was(block: str) -> None:
    assert marks(BOUND_AGAIN.format(block=block)) == []


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("if __name__ == '__main__':\n    net = {}\n    net = Net()\n    torch.save(net, 'a.pt')", [(17, "LP501")]),
        (
            "if __name__ == '__main__':\n    net = Net()\n    if torch.cuda.is_available():\n"
            "        net = net.state_dict()\n    torch.save(net, 'a.pt')",
            [(18, "LP501")],
        ),
        (
            "if __name__ == '__main__':\n    net = Net()\n    torch.save(net, 'a.pt')\n    net = net.state_dict()",
            [(16, "LP501")],
        ),
        (
            "for name in 'ab':\n    if name == 'b':\n        torch.save(net, name)\n    net = Net()",
            [(16, "LP501")],
        ),
        ("if __name__ == '__main__':\n    f = len\n    f = lambda: 1\n    pickle.dumps(f)", [(17, "LP102")]),
    ],
)
def test_what_a_module_may_still_be_bound_to_is_what_is_written(block: str, expected: list[tuple[int, str]]) -> None:
    assert marks(BOUND_AGAIN.format(block=block)) == expected


SAVED = """\
import argparse

import torch
from torch import nn


def save(args: argparse.Namespace):
    model = nn.Linear(1, 1)
    torch.save(model, "model.pt")
    torch.save({"args": argparse.Namespace(lr=1)}, "all.pt")
    return torch.load("all.pt")
"""


@pytest.mark.parametrize(
    ("requirement", "expected"),
    [("torch>=1.7", ["LP501", "LP503"]), ("torch<2.3", []), ("torch==2.6.0", ["LP501", "LP503"])],
)
def test_torch_that_does_not_refuse_anything_yet(tmp_path: Path, requirement: str, expected: list[str]) -> None:
    (tmp_path / "requirements.txt").write_text(requirement + "\n")
    (tmp_path / "setup.py").write_text("from setuptools import setup\n\nsetup(name='x')\n")
    (tmp_path / "train.py").write_text(SAVED)
    resolver = SettingsResolver(cwd=tmp_path)
    assert [each.code for each in lint_paths([str(tmp_path)], resolver=resolver).diagnostics] == expected


@pytest.mark.parametrize(
    ("saved", "name"),
    [
        ("np.mean(rows)", "scalar"),
        ("np.mean(rows, None)", "scalar"),
        ("np.mean(rows, 0)", "_reconstruct"),
        ("np.max(rows, axis=(0, 1))", "_reconstruct"),
        ("np.sum(rows, keepdims=True)", "_reconstruct"),
        ("np.percentile(rows, 95)", "scalar"),
        ("np.percentile(rows, 95, 0)", "_reconstruct"),
        ("np.quantile(rows, [0.1, 0.9])", "_reconstruct"),
        ("np.cov(rows, rowvar=False)", "_reconstruct"),
        ("np.float64(rows)", "scalar"),
        ("np.mean(rows, axis)", None),
        ("np.mean(rows, **options)", None),
    ],
)
def test_a_reduction_along_an_axis_is_an_array(tmp_path: Path, saved: str, name: str | None) -> None:
    text = (
        f"import numpy as np\nimport torch\n\n\ndef save(path, rows, axis, options):\n    torch.save({saved}, path)\n"
        "    return torch.load(path)\n"
    )
    found = [each.message for each in lint_files(tmp_path, {"save.py": text})]
    assert len(found) == (name is not None)
    assert all(f"`numpy._core.multiarray.{name}`" in message for message in found)
