"""LP503: records of runs, of the best result and of metrics, in checkpoints."""

from __future__ import annotations

import pytest

from tests.support import lint, marks

RUNS = """\
import os

import numpy as np
import torch


class Run:
    def __init__(self, folder):
        self.folder = folder

    def load_buffer(self, path):
        return torch.load(path)["steps"]

    def save(self, model):
        state = {{"model": model.state_dict(), "draws": np.random.get_state()}}
        torch.save(state, os.path.join(self.folder, "checkpoint.pt"))

    def load(self, folder):
        return torch.load({path})
"""


@pytest.mark.parametrize(
    ("path", "row"),
    [
        pytest.param("os.path.join(folder, 'checkpoint.pt')", 19, id="the one that names the file"),
        pytest.param("folder", 12, id="the first one where none does"),
        pytest.param("os.path.join(folder, 'best-checkpoint.pt')", 12, id="another file"),
    ],
)
def test_the_trail_names_what_reads_the_file(path: str, row: int) -> None:
    found = [each for each in lint(RUNS.format(path=path)).diagnostics if each.code == "LP503"]
    reading = [step.location.start.row for each in found for step in each.trail if "are loaded" in step.message]
    assert reading == [row]


@pytest.mark.parametrize(
    ("said", "row"),
    [
        ("pass  # Read it by torch.load(folder).", 12),
        ('"""Read it by torch.load(folder)."""', 12),
        ("print('torch.load(folder)')", 12),
        ("print(torch.load(folder))", 8),
    ],
)
def test_what_texts_say_of_a_load_reads_no_file(said: str, row: int) -> None:
    text = RUNS.format(path="folder").replace("class Run:", f"def told(folder):\n    {said}\n\n\nclass Run:")
    found = [each for each in lint(text).diagnostics if each.code == "LP503"]
    reading = [step.location.start.row for each in found for step in each.trail if "are loaded" in step.message]
    assert reading == [row + 4 if row == 12 else row]


EXTRAS = """\
import dataclasses

import torch


@dataclasses.dataclass
class Options:
    rate: float = 0.1


class Store:
    def __init__(self, path):
        self.path = path

    def save(self, step, model, **extra):
        {made}
        torch.save(state, self.path)

    def restore(self):
        return torch.load(self.path)


class Trainer:
    def __init__(self, model, options):
        self.model, self.options, self.store = model, options, Store("state.pt")

    def fit(self):
        self.store.save(1, self.model, {given})


def main(model):
    trainer = Trainer(model, Options())
    trainer.fit()
    return trainer.store.restore()
"""
SPREAD = 'state = {"step": step, "model": model.state_dict(), **extra}'


def _refused(made: str = SPREAD, given: str = "options=self.options") -> bool:
    return "LP503" in [code for _, code in marks(EXTRAS.format(made=made, given=given))]


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"given": "options=Options()"},
        {"given": "epoch=3, options=self.options"},
        {"given": "extra={'options': self.options}"},
        {"given": "**{'options': self.options}"},
        {"made": "state = dict(step=step, **extra)"},
        {"made": "state = {'step': step, 'extra': extra}"},
        {"made": "state = extra"},
    ],
)
def test_what_is_given_as_further_keywords(change: dict[str, str]) -> None:
    assert _refused(**change)


@pytest.mark.parametrize(
    "change",
    [
        {"given": "options=vars(self.options)"},
        {"given": "options=dataclasses.asdict(self.options)"},
        {"given": "rate=self.options.rate"},
        {"given": "epoch=3"},
        {"given": "**make()"},
        {"made": "state = {'step': step, 'names': list(extra)}"},
        {"made": "state = {'step': step, 'count': len(extra)}"},
        {"made": "state = {'step': step}\n        print(extra)"},
    ],
)
def test_further_keywords_that_are_plain_or_stay(change: dict[str, str]) -> None:
    assert not _refused(**change)


BEST = """\
import numpy as np
import torch


class Meter:
    def __init__(self):
        self.values = []

    def mean(self):
        return np.mean(self.values)


class Best:
    def __init__(self):
        self.best = float("inf")
        self.epoch = -1

    def step(self, epoch, value):
        if value < self.best:
            {kept}
            return True
        return False

    def state(self):
        return {{"best": self.best, "epoch": self.epoch}}


class Store:
    def save(self, model, **extra):
        torch.save({{"model": model.state_dict(), **extra}}, "last.pt")

    def restore(self):
        return torch.load("last.pt")


def fit(model, meter, epochs):
    tracker, other, store = Best(), Best(), Store()
    for epoch in range(epochs):
        {told}
        store.save(model, {given})
    return store.restore()


fit(torch.nn.Linear(1, 1), Meter(), 2)
"""
KEPT = "self.best, self.epoch = value, epoch"
TOLD = "tracker.step(epoch, meter.mean())"


@pytest.mark.parametrize(
    ("kept", "told", "given", "fires"),
    [
        (KEPT, TOLD, "tracker=tracker.state()", True),
        (KEPT, TOLD, "best=tracker.best", True),
        ("self.best = value", TOLD, "tracker=tracker.state()", True),
        (KEPT, "score = meter.mean()\n        tracker.step(epoch, score)", "tracker=tracker.state()", True),
        (KEPT, "tracker.step(epoch, value=np.float64(epoch))", "tracker=tracker.state()", True),
        (KEPT, TOLD, "tracker={'inner': tracker.state()}", True),
        (KEPT, "tracker.step(epoch, float(meter.mean()))", "tracker=tracker.state()", False),
        (KEPT, "tracker.step(epoch, meter.mean().item())", "tracker=tracker.state()", False),
        ("self.best, self.epoch = float(value), epoch", TOLD, "tracker=tracker.state()", False),
        ("self.last = value", TOLD, "tracker=tracker.state()", False),
        (KEPT, "other.step(epoch, meter.mean())", "tracker=tracker.state()", False),
        (KEPT, TOLD, "epoch=tracker.epoch", False),
        (KEPT, "tracker.step(epoch, epoch / 2)", "tracker=tracker.state()", False),
    ],
)
def test_what_a_method_is_told_and_keeps(kept: str, told: str, given: str, fires: bool) -> None:
    text = BEST.format(kept=kept, told=told, given=given)
    assert [code for _, code in marks(text) if code == "LP503"] == ["LP503"] * fires


RESULTS = """\
import torch


class Result(dict):
    def __init__(self, data, label):
        super().__init__()
        self["data"] = data
        self["label"] = label


class Results(dict):
    def __init__(self, name):
        super().__init__()

    def __setitem__(self, key, item):
{setitem}


class Experiment:
    def __init__(self, name=None):
        self.results = dict()
        if name is not None:
            self.results = {made}

    def add_result(self, name, value):
        element = Result(value, name)
        self.results[name] = element

    def save(self, path):
        torch.save({{"results": dict(self.results)}}, path)

    def run(self):
        self.add_result("loss", 1.0)
        self.save("results.pt")


def main():
    Experiment("first").run()
    print(torch.load("results.pt"))
"""


@pytest.mark.parametrize(
    ("setitem", "made", "found"),
    [
        ("        super().__setitem__(key, item['data'])", "Results(name)", False),
        (
            "        data = item['data'] if 'data' in item else item\n        super().__setitem__(key, data)",
            "Results(name)",
            False,
        ),
        ("        dict.__setitem__(self, key, float(item['data']))", "Results(name)", False),
        ("        super().__setitem__(key, item)", "Results(name)", True),
        ("        print(key)\n        dict.__setitem__(self, key, item)", "Results(name)", True),
        ("        super().__setitem__(key, item['data'])", "dict()", True),
    ],
)
def test_a_class_that_stores_items_in_its_own_way(setitem: str, made: str, found: bool) -> None:
    assert any(code == "LP503" for _, code in marks(RESULTS.format(setitem=setitem, made=made))) == found


_METRICS = """\
import numpy as np
import torch
from torch import nn


def evaluate(count):
    losses = [1.0 * each for each in range(count)]
    {returns}


class Keeper:
    def __init__(self, monitor="loss"):
        self.monitor = monitor
        self.best = 9.0

    def update(self, net, metrics):
        {stores}
        torch.save({{"net": net.state_dict(), "best": {best}}}, "a.pt")


def main():
    metrics = evaluate(3)
    {between}
    Keeper().update(nn.Linear(2, 1), metrics)
    return torch.load("a.pt")
"""
_RETURNS = 'return {"loss": np.mean(losses), "n": len(losses)}'


def _of_metrics(
    best: str = 'metrics["loss"]', returns: str = _RETURNS, stores: str = "pass", between: str = "pass"
) -> list[str]:
    return [code for _, code in marks(_METRICS.format(best=best, returns=returns, stores=stores, between=between))]


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({}, id="a key"),
        pytest.param({"best": 'metrics.get("loss")'}, id="get"),
        pytest.param({"best": "metrics[self.monitor]"}, id="a key that an attribute has"),
        pytest.param({"best": "self.best", "stores": "self.best = metrics[self.monitor]"}, id="kept in an attribute"),
        pytest.param(
            {"returns": 'found = {}\n    found["loss"] = np.mean(losses)\n    return found'}, id="filled later"
        ),
        pytest.param({"returns": "return dict(loss=np.mean(losses))"}, id="dict(…)"),
        pytest.param(
            {"returns": 'return {"val": {"loss": np.mean(losses)}}', "best": 'metrics["val"]["loss"]'}, id="two deep"
        ),
        pytest.param({"returns": "return len(losses), np.mean(losses)", "best": "metrics[1]"}, id="of a tuple"),
    ],
)
def test_an_item_of_what_an_evaluation_returns(changed: dict[str, str]) -> None:
    assert _of_metrics(**changed) == ["LP503"]


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"best": 'metrics["n"]'}, id="another key"),
        pytest.param({"best": 'float(metrics["loss"])'}, id="made a float where it is written"),
        pytest.param({"returns": 'return {"loss": float(np.mean(losses))}'}, id="made a float at once"),
        pytest.param({"between": 'metrics["loss"] = float(metrics["loss"])'}, id="replaced"),
        pytest.param({"between": "metrics = {k: float(v) for k, v in metrics.items()}"}, id="another dict"),
        pytest.param({"best": "self.best", "stores": "self.best = float(metrics[self.monitor])"}, id="kept as a float"),
        pytest.param({"best": "metrics[self.monitor]", "stores": 'self.monitor = "n"'}, id="another key is kept"),
        pytest.param({"returns": "return len(losses), np.mean(losses)", "best": "metrics[0]"}, id="another place"),
    ],
)
def test_an_item_that_is_plain_data(changed: dict[str, str]) -> None:
    assert _of_metrics(**changed) == []
