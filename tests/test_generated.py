"""What is generated from the rules is up to date."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lintpickle.rules.base import Rule
from tools.generate import summary

ROOT = Path(__file__).resolve().parent.parent


def test_generated_files_are_up_to_date() -> None:
    run = subprocess.run([sys.executable, "-m", "tools.generate", "--check"], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("docstring", ["Removes attributes, instead of\n    changing a copy.", "A Namespace…", ""])
def test_a_rule_says_what_it_finds_on_one_line(docstring: str) -> None:
    with pytest.raises(ValueError, match="no whole sentence"):
        summary(type("Cut", (Rule,), {"__doc__": docstring}))


def test_what_stands_below_the_first_line_is_left_out() -> None:
    rule = type("Whole", (Rule,), {"__doc__": "A lock that crosses.\n\n    Measured with Python 3.11."})
    assert summary(rule) == "A lock that crosses"
