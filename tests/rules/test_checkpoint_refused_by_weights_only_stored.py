"""LP503: what objects have stored, and containers have been filled with, before they are saved."""

from __future__ import annotations

import pytest

from lintpickle.diagnostics import Confidence
from tests.rules.written_to_files import written
from tests.support import lint

_KEPT = """\
import numpy as np
import torch


class Checkpointer:
    def __init__(self):
        self.best = float("inf")
        self.curve = []

    def step(self, model, losses):
        loss = np.mean(losses)
        {store}

    def write(self, path):
        torch.save({{"best": {written}}}, path)

    def read(self, path):
        return torch.load(path)
"""


@pytest.mark.parametrize(
    ("store", "value", "fires"),
    [
        ("self.best = loss", "self.best", True),
        ("self.best = np.mean(losses)", "self.best", True),
        ("self.best = float(loss)", "self.best", False),
        ("self.best = loss.item()", "self.best", False),
        ("self.best = min(self.best, loss)", "self.best", True),
        ("self.best = max(np.mean(losses), self.best)", "self.best", True),
        ("self.best = min(self.best, float(loss))", "self.best", False),
        ("self.best = min(losses, key=np.mean)", "self.best", False),
        ("self.best = min(float(min(self.best, loss)), 1.0)", "self.best", False),
        ("self.best = loss", "float(self.best)", False),
        ("self.best = loss", "self.curve", False),
        ("model.best = loss", "self.best", False),
    ],
)
def test_what_a_method_has_stored_before(store: str, value: str, fires: bool) -> None:
    found = [code for _, code in written(_KEPT.format(store=store, written=value))]
    assert ("LP503" in found) is fires


_HYDRA = """\
import hydra
import torch


class Trainer:
    def __init__(self, options):
        self.options = options

    def write(self, path):
        torch.save({{"options": {written}}}, path)


{decorator}
def main(config{more}):
    Trainer(config).write("last.pt")
    torch.load("last.pt")


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("decorator", "more", "value", "fires"),
    [
        ("@hydra.main(config_path='conf')", "", "self.options", True),
        ("@hydra.main(config_path='conf')", "", "dict(a=self.options.a)", False),
        ("@hydra.main(config_path='conf')", ", other", "self.options", False),
        ("@print", "", "self.options", False),
        ("@hydra.other", "", "self.options", False),
    ],
)
def test_the_configuration_that_hydra_passes(decorator: str, more: str, value: str, fires: bool) -> None:
    found = [code for _, code in written(_HYDRA.format(decorator=decorator, more=more, written=value))]
    assert ("LP503" in found) is fires


_FILLED = """\
import numpy as np
import torch


class History:
    def __init__(self):
        self.kept = {{"loss": [], "best": []}}

    def log(self, key, value):
        if key in self.kept:
            self.kept[key].append(value)

    def reset(self, kept):
        self.kept = kept

    def state(self):
        return self.kept


class Trainer:
    def __init__(self):
        self.history = History()
        self.losses = []
        self.by_name = {{}}

    def step(self, model, losses):
        loss = np.mean(losses)
        {filled}

    def write(self, path):
        torch.save({{"x": {written}}}, path)

    def read(self, path):
        self.history.reset(torch.load(path)["x"])
"""


@pytest.mark.parametrize(
    ("filled", "value", "fires"),
    [
        ("self.losses.append(loss)", "self.losses", True),
        ("self.losses += [loss]", "self.losses", True),
        ("self.by_name['loss'] = loss", "self.by_name", True),
        ("self.history.kept['loss'].append(loss)", "self.history.kept", True),
        ("self.history.log('loss', loss)", "self.history.kept", True),
        ("self.history.log('loss', loss)", "self.history.state()", True),
        ("self.losses.append(float(loss))", "self.losses", False),
        ("self.losses.append(loss)", "[float(each) for each in self.losses]", False),
        ("self.losses.append(loss)", "self.by_name", False),
        ("self.losses.append(loss)", "len(self.losses)", False),
        ("self.history.log('loss', loss.item())", "self.history.state()", False),
        ("self.history.log('loss', loss)", "self.losses", False),
        ("model.losses.append(loss)", "self.losses", False),
    ],
)
def test_what_methods_have_put_into_containers_before(filled: str, value: str, fires: bool) -> None:
    found = [code for _, code in written(_FILLED.format(filled=filled, written=value))]
    assert ("LP503" in found) is fires


def test_the_trail_names_the_value_the_save_and_the_load() -> None:
    text = _FILLED.format(filled="self.losses.append(loss)", written="self.losses")
    (found,) = lint(text).diagnostics
    assert [step.location.start.row for step in found.trail] == [27, 31, 34, 31]
    assert found.confidence is Confidence.LIKELY


_METER = """\
import numpy as np
import torch


class Meter:
    def __init__(self):
        self.values = []

    @property
    def average(self):
        return {average}


class History:
    def __init__(self):
        self.best = float("inf")

    def close(self, meter):
        self.best = min(self.best, {given})

    def summary(self):
        return {{"best": self.best}}


class Trainer:
    def __init__(self):
        self.history = History()

    def epoch(self):
        meter = Meter()
        self.history.close(meter)

    def write(self, path):
        torch.save(self.history.summary(), path)

    def read(self, path):
        return torch.load(path)
"""


@pytest.mark.parametrize(
    ("average", "given", "fires"),
    [
        ("np.mean(self.values)", "meter.average", True),
        ("float(np.mean(self.values))", "meter.average", False),
        ("np.mean(self.values)", "float(meter.average)", False),
        ("sum(self.values) / len(self.values)", "meter.average", False),
        ("np.mean(self.values)", "len(meter.values)", False),
    ],
)
def test_the_least_of_what_a_property_of_an_argument_gives(average: str, given: str, fires: bool) -> None:
    found = lint(_METER.format(average=average, given=given)).diagnostics
    assert [(each.code, each.confidence) for each in found] == ([("LP503", Confidence.LIKELY)] if fires else [])


_COUNTED = """\
from collections import defaultdict

import torch


def write(names, path):
    first, second = defaultdict(int), defaultdict(int)
    for name in names:
        first[name] += 1
    {made}
    torch.save({{"first": {saved}, "second": second}}, path)


def read(path):
    return torch.load(path)
"""


@pytest.mark.parametrize(
    ("made", "saved", "fires"),
    [
        ("", "first", True),
        ("first, second = dict(first), dict(second)", "first", False),
        ("second = dict(second)", "dict(first)", False),
        ("second = dict(second)", "dict(rows=first)", True),
        ("second = dict(second)", "{**first}", False),
    ],
)
def test_a_dict_of_what_another_one_holds(made: str, saved: str, fires: bool) -> None:
    found = [code for _, code in written(_COUNTED.format(made=made, saved=saved))]
    assert ("LP503" in found) is fires
