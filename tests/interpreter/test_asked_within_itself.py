"""What is asked for while it is evaluated is unknown there, and found anew when the first question is answered."""

from __future__ import annotations

import pytest

from tests.support import marks

_EXPERIMENTS = """\
import argparse

from torch.utils.data import DataLoader


class Short:
    def __init__(self, args):
        self.args = args

    def train(self, setting):
        for batch in DataLoader([1, 2], num_workers=2):
            print(setting, batch)


class Long(Short):
    def train(self, setting):
        for batch in {long}:
            print(setting, batch)


parser = argparse.ArgumentParser()
parser.add_argument("--task", default="short")
args = parser.parse_args()

if args.task == "short":
    Experiment = Short
else:
    Experiment = Long

for run in range(3):
    experiment = Experiment(args)
    setting = "of one run"
    experiment.train({given})
"""


@pytest.mark.parametrize("given", ["setting", "args", "1"])
def test_a_class_chosen_by_what_its_object_is_given(given: str) -> None:
    text = _EXPERIMENTS.format(long="DataLoader([3], num_workers=4)", given=given)
    assert [code for _, code in marks(text)] == ["LP203"]


@pytest.mark.parametrize("given", ["setting", "1"])
def test_a_class_that_may_start_none(given: str) -> None:
    assert marks(_EXPERIMENTS.format(long="[3]", given=given)) == []
