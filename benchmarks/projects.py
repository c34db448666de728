"""Makes up projects of any size in the shape of real ones, for measuring: packages of datasets, models and scripts."""

from __future__ import annotations

from pathlib import Path

_DATASET = '''\
class Frames{n}(Dataset):
    """Frames of split {n}."""

    def __init__(self, root, names, transform=None):
        self.root = root
        self.names = sorted(names)
        self.by_name = {{name: index for index, name in enumerate(self.names)}}
        self.transform = transform or default_transform
        self.file = None

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        if self.file is None:
            self.file = open(self.root, "rb")
        item = self.names[index]
        return self.transform(item) if self.transform else item

'''
_MODEL = """\
class Block{n}(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(depth)])
        self.activation = nn.ReLU()

    def forward(self, x):
        for layer in self.layers:
            x = self.activation(layer(x))
        return x

"""
_HELPERS = '''\
def scale_{n}(values, factor=1.0):
    """Values times a factor."""
    total = 0.0
    for value in values:
        if value is None:
            continue
        total += value * factor
    return {{"total": total, "mean": total / max(len(values), 1)}}

'''
_IMPORTS = """\
import os

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

"""
_DEFAULT_TRANSFORM = """
def default_transform(item):
    return item


"""
_SCRIPT = """
def train_{n}(names):
    dataset = Frames{n}("frames.bin", names)
    loader = DataLoader(dataset, batch_size=4, num_workers=4)
    for batch in loader:
        print(batch)


"""


def make_project(root: Path, files: int, lines: int = 120) -> list[Path]:
    """Write `files` modules of about `lines` lines below `root`: half plain helpers, a quarter models, an eighth
    datasets with a script, an eighth importers of those. Returns their paths."""
    (root / "pyproject.toml").write_text('[project]\nname = "made-up"\nversion = "1"\n\n[tool.lintpickle]\n')
    paths = []
    for number in range(files):
        folder = root / "made_up" / f"part{number % 40}"
        if not (folder / "__init__.py").exists():
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "__init__.py").write_text("")
            (root / "made_up" / "__init__.py").write_text("")
        path = folder / f"module{number}.py"
        path.write_text(module_text(number, lines))
        paths.append(path)
    return paths


def module_text(number: int, lines: int) -> str:
    """One module of about `lines` lines."""
    if number % 8 == 0:
        text = _IMPORTS + _DEFAULT_TRANSFORM + _DATASET.format(n=number) + _SCRIPT.format(n=number)
    elif number % 8 == 1:
        other = number - 1
        imported = f"from made_up.part{other % 40}.module{other} import Frames{other}\n\n\n"
        use = f'def load_{number}(names):\n    return DataLoader(Frames{other}("x", names), num_workers=2)\n\n\n'
        text = _IMPORTS + imported + use
    elif number % 4 == 2:
        text = _IMPORTS + "\n" + _MODEL.format(n=number)
    else:
        text = "import math\n\n\n"
    block = 0
    while text.count("\n") < lines:
        text += "\n" + _HELPERS.format(n=f"{number}_{block}")
        block += 1
    return text
