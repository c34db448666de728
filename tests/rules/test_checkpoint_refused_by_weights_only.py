"""LP503: checkpoint-refused-by-weights-only."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from lintpickle.diagnostics import Confidence
from tests.pages import PageTests
from tests.rules.written_to_files import lint_files, written
from tests.support import lint


class TestPage(PageTests):
    code = "LP503"


CHECKPOINT = """\
import argparse
import collections
import datetime
import enum
import pathlib

import numpy as np
import torch
from easydict import EasyDict
from torch import nn, optim


class Color(enum.Enum):
    RED = 1


class Meter:
    pass


def made():
    return optim.Adam([])


def save(path, acc, tensor):
    parser = argparse.ArgumentParser()
    net = nn.Linear(1, 1)
    rng, steps = np.random.RandomState(42), optim.lr_scheduler.StepLR(optim.Adam(net.parameters()), 1)
    torch.save({"epoch": 1, "x": %s}, path)


def restore(path):
    return torch.load(path%s)
"""


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("parser.parse_args()", "argparse.Namespace"),
        ("parser.parse_known_args()[0]", "argparse.Namespace"),
        ("argparse.Namespace(a=1)", "argparse.Namespace"),
        ("EasyDict(a=1)", "easydict.EasyDict"),
        ("np.array([1])", "numpy._core.multiarray._reconstruct"),
        ("tensor.cpu().numpy()", "numpy._core.multiarray._reconstruct"),
        ("torch.ones(2).numpy()", "numpy._core.multiarray._reconstruct"),
        ("made()", "torch.optim.adam.Adam"),
        ("np.random.get_state()", "numpy._core.multiarray._reconstruct"),
        ("np.random.RandomState(3).get_state()", "numpy._core.multiarray._reconstruct"),
        ("rng.get_state()", "numpy._core.multiarray._reconstruct"),
        ("np.mean([1, 2])", "numpy._core.multiarray.scalar"),
        ("np.int64(acc)", "numpy._core.multiarray.scalar"),
        ("np.int64([1, 2])", "numpy._core.multiarray._reconstruct"),
        ("np.uint8(tuple(range(3)))", "numpy._core.multiarray._reconstruct"),
        ("collections.defaultdict(list)", "collections.defaultdict"),
        ("collections.deque()", "collections.deque"),
        ("pathlib.Path('a')", "pathlib.PosixPath"),
        ("datetime.datetime.now()", "datetime.datetime"),
        ("range(3)", "range"),
        ("frozenset({1})", "frozenset"),
        ("optim.Adam(net.parameters())", "torch.optim.adam.Adam"),
        ("optim.lr_scheduler.StepLR(optim.Adam(net.parameters()), 1)", "torch.optim.lr_scheduler.StepLR"),
        ("steps or None", "torch.optim.lr_scheduler.StepLR"),
        ("Meter()", "example.Meter"),
        ("[Meter()]", "example.Meter"),
        ("Meter", "example.Meter"),
        ("save", "example.save"),
    ],
)
def test_what_torch_load_refuses_is_reported_with_its_name(value: str, name: str) -> None:
    (found,) = lint(CHECKPOINT % (value, "")).diagnostics
    assert (found.code, found.confidence) == ("LP503", Confidence.CERTAIN)
    assert f"GLOBAL {name}" in (found.error or "")
    assert "GLOBAL" in found.message


@pytest.mark.parametrize(
    "value",
    [
        "vars(parser.parse_args())",
        "np.array([1]).tolist()",
        "np.mean([1, 2]).item()",
        "float(np.mean([1, 2]))",
        "torch.from_numpy(np.array([1]))",
        "collections.OrderedDict()",
        "collections.Counter()",
        "{1, 2}",
        "str(pathlib.Path('a'))",
        "optim.Adam(net.parameters()).state_dict()",
        "net.state_dict()",
        "max(acc, 0.5)",
        "acc",
        "tensor",
        "torch.get_rng_state()",
        "torch.Generator().get_state()",
        "net.get_state()",
        "steps and steps.state_dict()",
        "acc and steps and steps.state_dict()",
        "Meter().value",
        "b'a'",
        "np.inf",
    ],
)
def test_what_torch_load_allows_is_not_reported(value: str) -> None:
    assert written(CHECKPOINT % (value, "")) == []


@pytest.mark.parametrize("decision", [", weights_only=False", ", weights_only=trusted", ", pickle_module=pickle"])
def test_a_project_that_decides_how_it_loads_is_left_alone(decision: str) -> None:
    assert written(CHECKPOINT % ("Meter()", decision)) == []
    assert written(CHECKPOINT % ("Meter()", ", weights_only=True")) != []


@pytest.mark.parametrize(
    ("options", "is_found"),
    [
        ('options["weights_only"] = False', False),
        ("options = {'weights_only': False, 'map_location': 'cpu'}", False),
        ('options = {"weights_only": trusted}', False),
        ('options.setdefault("weights_only", False)', False),
        ('options["pickle_module"] = pickle', False),
        ('options["weights_only"] = True', True),
        ('options = {"weights_only": True}', True),
        ('options["map_location"] = "cpu"', True),
    ],
)
def test_how_it_loads_may_be_decided_in_options_that_are_passed_on(options: str, is_found: bool) -> None:
    text = (CHECKPOINT % ("Meter()", ", **options")).replace("    return torch", f"    {options}\n    return torch")
    assert bool(written(text)) is is_found


def test_one_of_several_values_is_likely() -> None:
    text = (CHECKPOINT % ("made(path)", "")).replace(
        "def made():\n    return optim.Adam([])", "def made(path):\n    if path:\n        return Meter()\n    return 1"
    )
    (found,) = lint(text).diagnostics
    assert (found.code, found.confidence) == ("LP503", Confidence.LIKELY)
    (found,) = lint(CHECKPOINT % ("Meter()", "")).diagnostics
    assert (found.code, found.confidence) == ("LP503", Confidence.CERTAIN)


def test_without_a_load_in_sight_it_is_merely_possible() -> None:
    text = (CHECKPOINT % ("Meter()", "")).replace("torch.load(path)", "path")
    assert written(text) == []


def test_a_script_that_loads_another_file_leaves_it_likely() -> None:
    text = (CHECKPOINT % ("Meter()", "")).replace(", path)", ', "run.pt")')
    text += '\n\nif __name__ == "__main__":\n    restore("run.pt")\n'
    (found,) = lint(text.replace("torch.load(path)", 'torch.load("other.pt")')).diagnostics
    assert (found.code, found.confidence) == ("LP503", Confidence.LIKELY)
    (found,) = lint(text.replace("torch.load(path)", 'torch.load("run.pt")')).diagnostics
    assert (found.code, found.confidence) == ("LP503", Confidence.CERTAIN)


def test_arguments_parsed_at_module_level_are_known() -> None:
    text = """\
    import argparse
    import torch

    parser = argparse.ArgumentParser()
    args = parser.parse_args()


    def save(path):
        torch.save({"args": args}, path)
        return torch.load(path)
    """
    assert written(text) == [(9, "LP503")]


ALONE = """\
import argparse
import torch


def save(folder, weights):
    args = argparse.ArgumentParser().parse_args()
    torch.save({saved}, {path})


def read(folder):
    return torch.load({read})
"""


@pytest.mark.parametrize(
    ("saved", "path", "read", "expected"),
    [
        ("args", "folder + '/training_args.bin'", "folder", []),
        ("args", "folder + '/training_args.bin'", "folder + '/training_args.bin'", ["LP503"]),
        ("args", "folder + '/training_args.bin'", "torch.save(1, folder + '/training_args.bin')", []),
        ("args", "folder", "folder", ["LP503"]),
        ("{'args': args, 'weights': weights}", "folder + '/last.pth'", "folder", ["LP503"]),
    ],
    ids=[
        "nothing reads it",
        "the program reads it",
        "it is saved twice",
        "what file that is is not seen",
        "a checkpoint with weights",
    ],
)
def test_a_file_without_weights_that_nothing_reads_is_not_shown(
    saved: str, path: str, read: str, expected: list[str]
) -> None:
    assert [code for _, code in written(ALONE.format(saved=saved, path=path, read=read))] == expected


_SCRIPT = """\
import argparse
import os

import torch


def train(args):
    torch.save(
        args,
        os.path.join(args.folder, "training_args.bin"),
    )


def main():
    args = argparse.ArgumentParser().parse_args()
    train(args)
    {then}


if __name__ == "__main__":
    main()
"""
_READING = 'torch.load(os.path.join(args.folder, "training_args.bin"))'


@pytest.mark.parametrize(
    ("then", "other", "expected"),
    [
        ("pass", _SCRIPT.format(then="pass"), []),
        ("pass", _SCRIPT.format(then=_READING), ["other.py"]),
        (_READING, _SCRIPT.format(then="pass"), ["train.py"]),
        ("pass", f"import os\nimport torch\n\n\ndef read(args):\n    return {_READING}\n", ["train.py"]),
    ],
    ids=["no script reads it", "another one reads its own", "it reads its own", "a reader of what others write"],
)
def test_scripts_that_write_files_of_one_name(tmp_path: Path, then: str, other: str, expected: list[str]) -> None:
    reader = "import torch\n\n\ndef weights(path):\n    return torch.load(path)\n"
    found = lint_files(tmp_path, {"train.py": _SCRIPT.format(then=then), "other.py": other, "reader.py": reader})
    shown = [each for each in found if each.confidence is not Confidence.POSSIBLE]
    assert [(Path(each.location.path).name, each.code) for each in shown] == [(name, "LP503") for name in expected]


def test_one_object_that_a_module_writes_often_is_one_finding() -> None:
    text = """\
    import argparse
    import torch


    def save(path, epoch):
        args = argparse.ArgumentParser().parse_args()
        other = argparse.Namespace(a=1)
        torch.save({"args": args}, path + "first.pt")
        torch.save({"args": args, "epoch": epoch}, path + "last.pt")
        torch.save({"args": other}, path + "other.pt")
        return torch.load(path)
    """
    first, second = lint(dedent(text)).diagnostics
    assert [each.location.start.row for each in first.related] == [8, 9]
    assert (first.location.start.row, second.location.start.row, second.related) == (8, 10, ())


_BY_CALL = """\
import argparse
from pathlib import Path

import torch
import options


def train(folder, weights):
    args = options.parse()
    torch.save({given}, folder)
    torch.save({given}, folder + ".last")


def read(folder):
    return torch.load(folder)
"""
_OPTIONS = "import argparse\n\ndef parse():\n    args = argparse.ArgumentParser().parse_args()\n    return args\n"


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ("dict(weights=weights, args=args)", ["argparse.Namespace"]),
        ("{'args': args, 'root': Path(folder)}", ["argparse.Namespace", *["pathlib.PosixPath"] * 2]),
        ("dict(weights=weights, root=str(folder))", []),
    ],
)
def test_what_a_call_makes_is_told_once(given: str, names: list[str], tmp_path: Path) -> None:
    files = {"options.py": _OPTIONS, "main.py": _BY_CALL.format(given=given)}
    found = [each for each in lint_files(tmp_path, files) if each.code == "LP503"]
    assert sorted(each.message.partition("`")[2].partition("`")[0] for each in found) == names
