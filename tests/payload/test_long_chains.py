"""Chains of classes end in what they are, not at the recursion limit, and files are not blamed for that limit."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_source
from lintpickle.parsing.syntax import BrokenSyntax, parse
from lintpickle.settings import SettingsResolver

HEAD = "from torch.utils.data import DataLoader, Dataset\n\n\nclass A0(Dataset):\n    f = None\n\n\n"
END = "class Last({}):\n    def __init__(self):\n        self.f = lambda: 0\n\n\nDataLoader(Last(), num_workers=2)\n"


def test_a_chain_of_base_classes(tmp_path: Path) -> None:
    chain = "".join(f"class A{i}(A{i - 1}):\n    pass\n\n\n" for i in range(1, 900))
    outcome = lint_source(HEAD + chain + END.format("A899"), "a.py", resolver=SettingsResolver(cwd=tmp_path))
    assert "LP102" in [each.code for each in outcome.diagnostics]
    assert "LP900" not in [each.code for each in outcome.diagnostics]


def test_classes_that_are_their_own_bases(tmp_path: Path) -> None:
    text = HEAD + "class B(C):\n    pass\n\n\nclass C(B, A0):\n    pass\n\n\n" + END.format("B")
    outcome = lint_source(text, "a.py", resolver=SettingsResolver(cwd=tmp_path))
    assert "LP900" not in [each.code for each in outcome.diagnostics]


def test_a_text_is_blamed_for_its_own_nesting_alone() -> None:
    with pytest.raises(BrokenSyntax):
        parse("x = " + "-" * 50_000 + "1")

    def deep() -> None:
        parse("x = 1")
        deep()

    with pytest.raises(RecursionError):
        deep()


def test_a_partial_of_what_had_its_name(tmp_path: Path) -> None:
    text = (
        "from functools import partial\nfrom multiprocessing import Pool\n\n"
        "Pool = partial(Pool, 2)\n\nfor _ in Pool().imap(print, [1]):\n    pass\n"
    )
    outcome = lint_source(text, "a.py", resolver=SettingsResolver(cwd=tmp_path))
    assert not outcome.defects
    assert "LP203" in [each.code for each in outcome.diagnostics]


ASKING_ITSELF = """\
import pickle


class Backend:
    def __init__(self, trainer):
        self.trainer = trainer


class Connector:
    def __init__(self, trainer):
        self.trainer = trainer

    def select(self):
        if self.trainer.backend:
            return self.trainer.backend
        return Backend(self.trainer)


class Trainer:
    def __init__(self, name):
        self.backend = None
        self.connector = Connector(self)
"""


def test_an_attribute_whose_values_depend_on_itself(tmp_path: Path) -> None:
    stores = (
        f"        if name == '{number}':\n            self.backend = self.connector.select()\n" for number in range(60)
    )
    text = f"{ASKING_ITSELF}{''.join(stores)}\n\npickle.dumps(Trainer(input()))\n"
    assert not lint_source(text, "a.py", resolver=SettingsResolver(cwd=tmp_path)).defects
