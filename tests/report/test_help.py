"""What a reader is advised, once."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.report import ReportContext, render
from lintpickle.source.document import document_from_text

from ..support import lint

LOCK = """\
import threading
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __init__(self):
        self.lock = threading.Lock()

    def __len__(self):
        return 0

    def __getitem__(self, index):
        return index


def loader():
    return DataLoader(Rows(), num_workers=2)
"""
HELPS = {
    LOCK: ["Leave `lock` out of the pickled state and recreate it in `__setstate__`"],
    LOCK.replace("threading.Lock()", "open('rows')"): [
        "open it on first use in the worker, and drop it in `__getstate__`; forked workers would share its position in "
        "the file, and read each other's data",
        "Leave `lock` out of the pickled state and recreate it in `__setstate__`",
    ],
    LOCK.replace("threading.Lock()", "threading.Thread()"): [
        "drop it in `__getstate__`: it stays in the process that made it"
    ],
    LOCK.replace("threading.Lock()", "threading.local()"): [
        "Leave `lock` out of the pickled state and recreate it in `__setstate__`"
    ],
}


@pytest.mark.parametrize("text", HELPS, ids=["the same", "two ways", "no fix", "one for each thread"])
def test_a_fix_that_does_what_the_help_says_takes_its_place(text: str) -> None:
    outcome = lint(text)
    [finding] = outcome.diagnostics
    path = finding.location.path
    context = ReportContext(cwd=Path(path).parent, source=lambda _: document_from_text(text, path), quiet=True)
    shown = render("full", outcome, context).splitlines()
    assert [line.removeprefix("help: ") for line in shown if line.startswith("help: ")] == HELPS[text]
