"""How paths end: what is asked, and that many ways to one value are not gone through again and again."""

from __future__ import annotations

from typing import cast

import pytest

from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Attribute, Call, Expr, Name
from lintpickle.interpreter.abstract_values import ExternalResult, Frame, Site, TracedValue
from lintpickle.interpreter.path_endings import ending_of
from lintpickle.interpreter.protocols import Interpreter
from lintpickle.program.module import Module
from tests.support import marks

ARRAYS = """\
import glob, os, sys
from pathlib import Path

import numpy as np
from torch.utils.data import DataLoader, Dataset


class Data(Dataset):
    def __init__(self, folder):
        self.arrays = np.load({path})

    def __getitem__(self, index):
        return self.arrays[index]


if __name__ == "__main__":
    for batch in DataLoader(Data(sys.argv[1]), num_workers=2):
        pass
"""


@pytest.mark.parametrize(
    "path",
    [
        "'a.npz'",
        "folder + '.npz'",
        "os.path.join(folder, 'a.npz')",
        "Path(folder) / 'a.npz'",
        "str((Path(folder) / 'a.npz').resolve())",
        "sorted(glob.glob(folder + '/*.npz'))[0]",
    ],
)
def test_an_archive(path: str) -> None:
    assert [code for _, code in marks(ARRAYS.format(path=path))] == ["LP110"]


@pytest.mark.parametrize("path", ["'a.npy'", "folder", "Path(folder).parent", "('a.npz' if folder else 'b.npy')"])
def test_another_file(path: str) -> None:
    assert marks(ARRAYS.format(path=path)) == []


class _Twice:
    """Stands for an evaluator that has two values for each call: what its method gives, on either of two receivers."""

    def __init__(self) -> None:
        self.asked = 0

    def evaluate(self, expression: Expr, frame: Frame) -> list[TracedValue]:
        self.asked += 1
        assert isinstance(expression, Call)
        return [TracedValue(ExternalResult("pandas.read_csv.copy", expression, frame), Site(MODULE, SPAN))] * 2


SPAN = Span(0, 1)
MODULE = cast(Module, None)
FRAME = Frame(MODULE, cast(FunctionFacts, None))


def test_what_a_call_gives_is_not_asked_again_in_each_of_its_values() -> None:
    evaluator = _Twice()
    assert (
        ending_of(Call(SPAN, Attribute(SPAN, Name(SPAN, "table"), "copy"), ()), FRAME, cast(Interpreter, evaluator))
        == ""
    )
    assert evaluator.asked == 1
