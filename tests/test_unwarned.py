"""What Python warns of in the code that is read is nothing that lintpickle prints, or stumbles over."""

import subprocess
import sys
from pathlib import Path

import pytest

CODE = r"""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

ABOUT = "\:" "\;"


class Frames(Dataset):
    "A \d docstring."

    def __init__(self, rows=1if ABOUT else 2, name="\." + "\_" "\#"):
        self.name = "\d" % name
        self.made = {"\w": lambda x: "\/"}
        torch.manual_seed(hash("\s"))


def main():
    torch.save(nn.Linear(1, 1), "\models")
    for batch in DataLoader(Frames(), num_workers=2, worker_init_fn=lambda i: torch.manual_seed(i + len("\+"))):
        print(batch)


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize("options", [(), ("--diff",), ("--pedantic", "--diff", "--unsafe-fixes")])
@pytest.mark.parametrize("shown", ["always", "error"])
def test_nothing_is_warned_of(shown: str, options: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(CODE)
    python = [sys.executable, "-W", shown, "-W", "ignore::EncodingWarning"]
    command = [*python, "-m", "lintpickle", "check", "--no-cache", *options, str(tmp_path / "train.py")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[1], check=False)
    assert done.returncode == 1
    assert "Warning" not in done.stderr and "Traceback" not in done.stderr, done.stderr
    assert ("LP102" if not options else "+def _made(x):") in done.stdout
