"""A rule that is selected alone finds what it finds among all others: no screen rests on what other rules ask for."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from lintpickle.api import lint_paths, lint_source
from lintpickle.diagnostics import Diagnostic
from lintpickle.rulebook.pages import load_pages
from lintpickle.rules import all_rules
from lintpickle.settings import SettingsResolver

from .programs import EACH_IN_TURN

CODES = [rule.code for rule in all_rules()]
MADE_TRANSFORM = """\
from torchvision import transforms


class Views:
    def __init__(self, size):
        self.chain = transforms.Compose([transforms.ToTensor(), lambda image: image + size])


def load(images):
    from torch.utils.data import DataLoader

    return DataLoader(images, num_workers=2)
"""
TEXTS = [MADE_TRANSFORM] + [block.code for page in load_pages() for block in page.blocks if block.kind == "bad"]


def _lint_text(text: str, select: str) -> tuple[Diagnostic, ...]:
    resolver = SettingsResolver(isolated=True, overrides={"select": [select], "target-version": "3.11"})
    return lint_source(text, str(Path("example.py").absolute()), resolver=resolver).diagnostics


def _lint_program(program: Path, select: str) -> tuple[Diagnostic, ...]:
    resolver = SettingsResolver(cwd=program, overrides={"select": [select], "target-version": "3.11"})
    return lint_paths([str(program)], resolver=resolver).diagnostics


@pytest.mark.parametrize("text", TEXTS)
def test_in_a_file(text: str) -> None:
    found = _lint_text(text, "ALL")
    assert found
    for code in {each.code for each in found} - {"LP901", "LP902"}:  # which are about what is selected beside them
        assert _lint_text(text, code) == tuple(each for each in found if each.code == code)


@pytest.mark.parametrize("program", EACH_IN_TURN)
def test_in_a_program(program: Path) -> None:
    of_all = _lint_program(program, "ALL")
    for code in sorted({each.code for each in of_all} | set(_silent_codes(program))):
        assert _lint_program(program, code) == tuple(each for each in of_all if each.code == code), code


def _silent_codes(program: Path) -> list[str]:
    """An eighth of the rules, another one for each program. They are tried there even if they find nothing."""
    return [code for code in CODES if zlib.crc32(f"{program.name} {code}".encode()) % 8 == 0]
