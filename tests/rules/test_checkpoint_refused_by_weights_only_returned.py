"""LP503: what functions return and command lines give, in checkpoints."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.written_to_files import lint_files
from tests.support import lint, marks

RETURNED = """\
import numpy as np
import torch


def score(values):
    return {returned}


def save(values, path):
    first, last = score(values)
    torch.save({{"epoch": 1, "score": {value}}}, path)


def restore(path):
    return torch.load(path)
"""


@pytest.mark.parametrize(
    ("returned", "value", "fires"),
    [
        ("np.mean(values)", "score(values)", True),
        ("float(np.mean(values))", "score(values)", False),
        ("1, np.mean(values)", "last", True),
        ("1, np.mean(values)", "first", False),
        ("1, np.mean(values)", "score(values)", True),
        ("{'mean': np.mean(values), 'size': 1}", "score(values)['mean']", True),
        ("{'mean': np.mean(values), 'size': 1}", "score(values)['size']", False),
        ("np.mean(values).item()", "score(values)", False),
    ],
)
def test_what_a_function_returns(returned: str, value: str, fires: bool) -> None:
    found = [each.code for each in lint(RETURNED.format(returned=returned, value=value)).diagnostics]
    assert found == (["LP503"] if fires else [])


_PARSED = """\
import argparse
import pathlib
from fractions import Fraction
from pathlib import Path
from textwrap import dedent

import torch


def rate(text):
    return Fraction(text)


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--verbose", action="store_true")
    group = parser.add_argument_group("files")
    group.add_argument("--out", {option})
    return parser.parse_args()


def convert(args):
    return {{key: str(value) if isinstance(value, Path) else value for key, value in vars(args).items()}}


def main():
    args = parse()
    {before}
    torch.save({{"epoch": args.epochs, "options": {saved}}}, "last.pt")
    return torch.load("last.pt")


if __name__ == "__main__":
    main()
"""


def _parsed(option: str, saved: str = "vars(args)", before: str = "pass") -> list[str]:
    text = _PARSED.format(option=option, saved=saved, before=before)
    return [code for _, code in marks(text) if code == "LP503"]


@pytest.mark.parametrize(
    "option",
    [
        "type=Path, required=True",
        "type=pathlib.Path",
        "type=Path, default='runs'",
        "type=lambda text: Path(text)",
        "type=rate, default=Fraction(1, 2)",
        "default=Path('runs')",
        "nargs='+', type=Path",
    ],
)
def test_arguments_of_the_command_line(option: str) -> None:
    assert _parsed(option) == ["LP503"]


@pytest.mark.parametrize(
    "saved", ["args.__dict__", "dict(vars(args))", "{**vars(args)}", "args.out", "vars(args).copy()"]
)
def test_ways_to_the_arguments(saved: str) -> None:
    assert _parsed("type=Path, required=True", saved) == ["LP503"]


@pytest.mark.parametrize(
    "option", ["type=str", "type=int, default=1", "default='runs'", "type=float, nargs=2", "action='append'", "type=f"]
)
def test_arguments_that_are_plain(option: str) -> None:
    assert _parsed(option) == []


@pytest.mark.parametrize(
    ("saved", "before"),
    [
        ("vars(args)", "args.out = str(args.out)"),
        ("{key: str(value) for key, value in vars(args).items()}", "pass"),
        ("convert(args)", "pass"),
        ("args.epochs", "pass"),
        ("str(args.out)", "pass"),
        ("args.out.name", "pass"),
    ],
)
def test_arguments_that_are_made_plain(saved: str, before: str) -> None:
    assert _parsed("type=Path, required=True", saved, before) == []


SUMMARY = """\
import numpy as np
import torch


def evaluate(rows, path):
    losses, scores = np.array(rows), np.array(rows)
    {}


def show(path):
    print(torch.load(path))
"""


@pytest.mark.parametrize(
    ("saving", "expected"),
    [
        ('torch.save({"losses": losses, "scores": scores, "rows": rows}, path)', [2]),
        ('summary = {"losses": losses, "scores": scores}\n    torch.save(summary, path)', [2]),
        ('torch.save({"test": {"losses": losses, "scores": scores}}, path)', [2]),
        ('torch.save({"losses": losses, "rows": rows}, path)', [0]),
        ('torch.save({"a": losses}, path)\n    torch.save({"b": scores}, path + "b")', [0, 0]),
    ],
)
def test_values_of_one_dict_are_one_finding(saving: str, expected: list[int]) -> None:
    found = [each for each in lint(SUMMARY.format(saving)).diagnostics if each.code == "LP503"]
    assert [len(each.related) for each in found] == expected


def test_a_folder_that_can_be_no_package_is_in_no_name(tmp_path: Path) -> None:
    (tmp_path / "my-project" / "data").mkdir(parents=True)
    saving = """
        import torch
        from data.rows import Rows


        def save(path):
            torch.save(Rows(), path)


        def load(path):
            return torch.load(path)
    """
    files = {"my-project/data/rows.py": "class Rows:\n    pass\n", "my-project/data/__init__.py": ""}
    (found,) = lint_files(tmp_path, {**files, "my-project/saving.py": saving})
    assert found.error is not None and "GLOBAL data.rows.Rows" in found.error
