"""LP245: shared-storage-rebound."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "LP245"


PROGRAM = """\
import copy
import torch
import torch.multiprocessing as mp
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(1, 1)
        self.register_buffer("mean", torch.zeros(1))
    def note(self, value):
        self.mean = self.mean * 0.9 + value
    def keep(self, value):
        self.mean.mul_(0.9).add_(value)
    def prune(self):
        self.layer.weight = nn.Parameter(self.layer.weight * 0.5)
class Stepper:
    def __init__(self, net):
        self.weights = [each for each in net.parameters() if each.requires_grad]
        self.net = net
        self.last = torch.zeros(1)
    def step(self):
        for each in self.weights:
            each.data = each.data - each.grad
    def remember(self):
        self.last = self.last + 1
def update(net):
    for each in net.parameters():
        each.data = each.data - 0.1 * each.grad
def work(thing, queue):
    {changes}
def main():
    queue = mp.Queue()
    thing = {made}
    {shares}
    process = mp.Process(target=work, args=(thing, queue))
    process.start()
    {meanwhile}
    process.join()
    {behind}
    print(thing)
if __name__ == "__main__":
    main()
"""


def found(
    changes: str,
    made: str = "Net()",
    shares: str = "thing.share_memory()",
    meanwhile: str = "pass",
    behind: str = "pass",
) -> list[str]:
    text = PROGRAM.format(changes=changes, made=made, shares=shares, meanwhile=meanwhile, behind=behind)
    return [code for _, code in marks(text) if code == "LP245"]


@pytest.mark.parametrize(
    ("changes", "made", "shares"),
    [
        pytest.param("update(thing)", "Net()", "thing.share_memory()", id="parameters"),
        pytest.param("Stepper(thing).step()", "Net()", "thing.share_memory()", id="an optimizer of its own"),
        pytest.param(
            "thing.layer.weight.data = thing.layer.weight.data * 2", "Net()", "thing.share_memory()", id="one"
        ),
        pytest.param("thing.layer.bias = nn.Parameter(torch.ones(1))", "Net()", "thing.share_memory()", id="parameter"),
        pytest.param("thing.note(1)", "Net()", "thing.share_memory()", id="a buffer"),
        pytest.param("thing.prune()", "Net()", "thing.share_memory()", id="a parameter in a method"),
        pytest.param("thing.data = thing.data + 1", "torch.zeros(2)", "thing.share_memory_()", id="a tensor"),
        pytest.param("thing.data = thing + 1", "torch.zeros(2).share_memory_()", "pass", id="shared when made"),
        pytest.param(
            "thing['a'] = thing['a'] * 2", "{'a': torch.zeros(2).share_memory_()}", "pass", id="an item of a dict"
        ),
        pytest.param(
            "for name in thing:\n        thing[name] = torch.ones(2)",
            "{name: torch.zeros(2) for name in 'ab'}",
            "for each in thing.values():\n        each.share_memory_()",
            id="a dict shared in a loop",
        ),
        pytest.param("thing[0] = thing[0] + 1", "[torch.zeros(2).share_memory_()]", "pass", id="an item of a list"),
    ],
)
def test_what_one_worker_alone_has(changes: str, made: str, shares: str) -> None:
    assert found(changes, made, shares) == ["LP245"]


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param("for each in thing.parameters():\n        each.data.sub_(each.grad)", id="in place"),
        pytest.param("for each in thing.parameters():\n        each.data -= each.grad", id="augmented"),
        pytest.param("for each in thing.parameters():\n        each.data[:] = each.grad", id="a slice"),
        pytest.param("for each in thing.parameters():\n        each.grad.data = each.grad * 2", id="gradients"),
        pytest.param("for each in thing.parameters():\n        each._grad = each.grad", id="gradients given"),
        pytest.param(
            "for each in thing.parameters():\n        each.data = each.data.mul_(2)", id="in place, and bound"
        ),
        pytest.param("for each in thing.parameters():\n        each.data = each.data.clone()", id="a copy of its own"),
        pytest.param("for each in thing.parameters():\n        each.data = each.data.to('cuda')", id="moved"),
        pytest.param("torch.optim.SGD(thing.parameters(), 0.1).step()", id="an optimizer"),
        pytest.param("thing.keep(1)", id="a buffer in place"),
        pytest.param("thing = copy.deepcopy(thing)\n    update(thing)", id="a copy"),
        pytest.param("update(Net())", id="another module"),
        pytest.param("own = Net()\n    own.share_memory()\n    update(own)", id="one that the worker shares itself"),
        pytest.param("update(thing)\n    queue.put(thing.state_dict())", id="sent back"),
        pytest.param("Stepper(thing).remember()", id="an attribute that is not shared"),
        pytest.param("thing.title = 'net'", id="no tensor"),
    ],
)
def test_what_is_in_place_or_its_own(changes: str) -> None:
    assert found(changes) == []


@pytest.mark.parametrize(
    ("changes", "made", "shares"),
    [
        pytest.param("update(thing)", "Net()", "pass", id="a module that is not shared"),
        pytest.param("thing.data = thing + 1", "torch.zeros(2)", "pass", id="a tensor that is not shared"),
        pytest.param("thing['a'] = thing['a'] * 2", "{'a': torch.zeros(2)}", "pass", id="a dict that is not shared"),
        pytest.param("thing[0] = 1", "torch.zeros(2)", "thing.share_memory_()", id="an element of a tensor"),
        pytest.param("update(thing)", "Net()", "Net().share_memory()", id="another one is shared"),
        pytest.param("thing['a'][0] = 2", "{'a': torch.zeros(2).share_memory_()}", "pass", id="an element of an item"),
    ],
)
def test_what_is_not_shared(changes: str, made: str, shares: str) -> None:
    assert found(changes, made, shares) == []


@pytest.mark.parametrize("changes", ["update(thing)", "Stepper(thing).step()"])
def test_what_the_main_process_binds_anew(changes: str) -> None:
    assert found("print(thing)", meanwhile=changes) == ["LP245"]
    assert found("print(thing)", behind=changes) == []
    assert found("print(thing)", shares=f"thing.share_memory()\n    {changes}") == []


def test_a_module_that_an_object_holds() -> None:
    """The main process goes on with it while a worker shows what it has got."""
    text = """\
import torch.multiprocessing as mp
from torch import nn
class Average:
    def __init__(self, net):
        self.net = net
    def step(self):
        for each in self.net.parameters():
            each.data = 0.5 * each.data
class Viewer:
    def __init__(self, net):
        self.net = net
    def run(self):
        print(self.net.weight)
class Trainer:
    def __init__(self):
        self.net = nn.Linear(1, 1)
        self.net.share_memory()
        self.average = Average(self.net)
    def fit(self):
        process = mp.get_context("spawn").Process(target=Viewer(self.net).run)
        process.start()
        self.average.step()
        process.join()
if __name__ == "__main__":
    Trainer().fit()
"""
    assert marks(text) == [(8, "LP245")]
    assert marks(text.replace("Viewer(self.net)", "Viewer(nn.Linear(1, 1))")) == []


def test_spawn_waits_unless_it_is_told_not_to() -> None:
    text = """\
import torch.multiprocessing as mp
from torch import nn
def work(rank, net):
    print(net.weight)
def main():
    net = nn.Linear(1, 1)
    net.share_memory()
    mp.spawn(work, (net,), 2, False)
    for each in net.parameters():
        each.data = each.data * 2
if __name__ == "__main__":
    main()
"""
    assert marks(text) == [(10, "LP245")]
    assert marks(text.replace(", False", "")) == []
