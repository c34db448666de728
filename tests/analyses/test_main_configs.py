"""LP208: configurations that only the main process fills."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver

CONFIG = "from yacs.config import CfgNode\n\n_C = CfgNode()\n_C.scale = 1\ncfg = _C\n"
DATA = """\
from torch.utils.data import Dataset

from config import cfg


class Data(Dataset):
    def __init__(self, cfg):
        self.cfg = cfg

    def __len__(self):
        return 2

    def __getitem__(self, index):
        {read}
"""
TRAIN = """\
import sys

from torch.utils.data import DataLoader

from config import cfg
from data import Data


{more}


def main(path):
    {merge}
    for batch in DataLoader(Data(cfg), num_workers=2{arguments}):
        print(batch)


if __name__ == "__main__":
    main(sys.argv[1])
"""
READ = "return index * cfg.scale"
MERGE = "cfg.merge_from_file(path)"


def _found(folder: Path, read: str = READ, merge: str = MERGE, **more: str) -> list[tuple[str, int, str]]:
    files = {
        "config.py": CONFIG,
        "data.py": DATA.format(read=read),
        "train.py": TRAIN.format(merge=merge, more=more.pop("more", ""), arguments=more.pop("arguments", "")),
        **{f"{name}.py": text for name, text in more.items()},
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    found = lint_paths([str(folder)], resolver=SettingsResolver(cwd=folder)).diagnostics
    return [(Path(each.location.path).name, each.location.start.row, each.code) for each in found]


@pytest.mark.parametrize(
    "merge", [MERGE, "cfg.merge_from_list(sys.argv)", "config = cfg\n    config.merge_from_file(path)"]
)
@pytest.mark.parametrize(
    "read", [READ, "if index:\n            return cfg.train.scale", "return self.cfg.scale + cfg.bias"]
)
def test_what_a_dataset_reads(tmp_path: Path, read: str, merge: str) -> None:
    (found,) = _found(tmp_path, read, merge)
    assert found[0::2] == ("data.py", "LP208")


def test_each_configuration_is_told_once(tmp_path: Path) -> None:
    read = "return cfg.scale * self.more(index) + cfg.bias\n\n    def more(self, index):\n        return cfg.scale"
    assert _found(tmp_path, read) == [("data.py", 14, "LP208")]


def test_a_module_that_fills_it_for_the_main_process(tmp_path: Path) -> None:
    setup = "from config import cfg\n\n\ndef set_up(path):\n    cfg.merge_from_file(path)\n"
    merge = "from setup import set_up\n    set_up(path)"
    assert _found(tmp_path, merge=merge, setup=setup) == [("data.py", 14, "LP208")]


@pytest.mark.parametrize(
    "read",
    [
        "return index * self.cfg.scale",
        "return index  # cfg.scale",
        "cfg = self.cfg\n        return cfg.scale",
        "cfg.merge_from_list(['scale', 2])\n        return cfg.scale",
    ],
)
def test_what_a_dataset_does_not_read_of_it(tmp_path: Path, read: str) -> None:
    assert _found(tmp_path, read) == []


@pytest.mark.parametrize(
    "merge",
    [
        "pass",
        "cfg.freeze()",
        "other = cfg.clone()\n    other.merge_from_file(path)",
        "sys.modules.merge_from_file(path)",
    ],
)
def test_what_does_not_fill_it(tmp_path: Path, merge: str) -> None:
    assert _found(tmp_path, merge=merge) == []


def test_what_workers_fill_themselves(tmp_path: Path) -> None:
    more = "def start(worker):\n    cfg.merge_from_file('a')"
    assert _found(tmp_path, more=more, arguments=", worker_init_fn=start") == []


@pytest.mark.parametrize("more", ["cfg.merge_from_file('a')", "def fill():\n    cfg.merge_from_file('a')\n\n\nfill()"])
def test_what_is_filled_when_the_script_is_imported(tmp_path: Path, more: str) -> None:
    assert _found(tmp_path, more=more) == []


def test_another_script_is_no_evidence(tmp_path: Path) -> None:
    script = "from config import cfg\n\n\ndef main():\n    cfg.merge_from_file('a')\n"
    assert _found(tmp_path, merge="pass", demo=script) == []


def test_another_script_that_fills_it_at_once_does_not_matter(tmp_path: Path) -> None:
    assert _found(tmp_path, demo="from config import cfg\n\ncfg.merge_from_file('a')\n") == [("data.py", 14, "LP208")]


@pytest.mark.parametrize(
    "more",
    [
        "def update(config, path):\n    config.merge_from_file(path)",
        "def update(config, path):\n    merge(config, path)\n\n\ndef merge(to, path):\n    to.merge_from_file(path)",
    ],
)
def test_a_function_that_is_given_the_configuration(tmp_path: Path, more: str) -> None:
    assert _found(tmp_path, merge="update(cfg, path)", more=more) == [("data.py", 14, "LP208")]
    assert _found(tmp_path, merge="update(cfg.clone(), path)", more=more) == []
