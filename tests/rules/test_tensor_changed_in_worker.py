"""LP228: tensor-changed-in-worker."""

from __future__ import annotations

import pytest

from lintpickle.rules.authoring import PICKLED_ON_START
from tests.pages import PageTests
from tests.support import lint, marks


class TestPage(PageTests):
    code = "LP228"


PROGRAM = """\
import copy
import multiprocessing as mp
import torch
from torch import nn, optim
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(1, 1)
class Box:
    def __init__(self):
        self.part = torch.zeros(2)
        self.net = Net()
        self.title = "box"
    def shift(self):
        self.part += 1
def helper(given):
    given.sub_(1)
def work(thing):
    {changes}
def main():
    thing = {made}
    process = mp.Process(target=work, args=({given},))
    process.start()
    process.join()
    {reads}
if __name__ == "__main__":
    main()
"""


def codes(changes: str, made: str, reads: str = "print(thing)", given: str = "thing") -> list[str]:
    text = PROGRAM.format(changes=changes, made=made, reads=reads, given=given)
    return [code for _, code in marks(text) if code == "LP228"]


@pytest.mark.parametrize(
    ("changes", "made"),
    [
        ("thing -= 1", "torch.zeros(2)"),
        ("thing[0] = 1", "torch.tensor([1, 2])"),
        ("thing.sub_(1)", "torch.ones(2).float()"),
        ("thing.data.fill_(1)", "torch.randn(2, requires_grad=True)"),
        ("thing.numpy()[0] = 1", "torch.zeros(2)"),
        ("torch.add(thing, 1, out=thing)", "torch.zeros(2)"),
        ("nn.init.constant_(thing, 3)", "torch.empty(2)"),
        ("helper(thing)", "torch.zeros(2)"),
        ("thing[0].sub_(1)", "[torch.zeros(2), torch.zeros(2)]"),
        ("for each in thing:\n        each.sub_(1)", "[torch.zeros(2)]"),
        ("thing['a'].zero_()", "{'a': torch.ones(2)}"),
        ("thing.shift()", "Box()"),
        ("helper(thing.part)", "Box()"),
        ("thing.net.load_state_dict(torch.load('w.pt'))", "Box()"),
        ("thing.load_state_dict({})", "Net()"),
        ("thing.layer.weight.data += 1", "Net()"),
        ("for each in thing.parameters():\n        each.data.add_(1)", "Net()"),
        ("optim.SGD(thing.parameters(), lr=0.1).step()", "nn.Linear(1, 1)"),
        ("adam = optim.Adam(thing.layer.parameters())\n    adam.step()", "Net()"),
    ],
)
def test_what_the_main_process_sees(changes: str, made: str) -> None:
    reads = "print(thing.part, thing.net)" if made == "Box()" else "print(thing)"
    assert codes(changes, made, reads)


@pytest.mark.parametrize(
    ("changes", "made", "reads"),
    [
        pytest.param("thing = thing.clone()\n    thing -= 1", "torch.zeros(2)", "print(thing)", id="a copy"),
        pytest.param("print(thing + 1)", "torch.zeros(2)", "print(thing)", id="only read"),
        pytest.param("thing -= 1", "torch.zeros(2)", "pass", id="nobody reads it"),
        pytest.param("thing -= 1", "torch.zeros(2).share_memory_()", "print(thing)", id="shared before"),
        pytest.param("thing -= 1", "torch.zeros(2).numpy()", "print(thing)", id="an array"),
        pytest.param("thing -= 1", "torch.zeros(2).cuda()", "print(thing)", id="of another device"),
        pytest.param("thing -= 1", "1", "print(thing)", id="a number"),
        pytest.param("thing.requires_grad_()", "torch.zeros(2)", "print(thing)", id="no numbers"),
        pytest.param("thing[0] = torch.ones(2)", "[torch.zeros(2)]", "print(thing)", id="an item of the list"),
        pytest.param("thing.append(1)", "[torch.zeros(2)]", "print(thing)", id="the list itself"),
        pytest.param("thing.part = thing.part + 1", "Box()", "print(thing.part)", id="bound anew"),
        pytest.param("thing.title += 'x'", "Box()", "print(thing.part)", id="something else"),
        pytest.param("thing.shift()", "Box()", "print(thing.title)", id="something else is read"),
        pytest.param(
            "own = copy.deepcopy(thing)\n    optim.SGD(own.parameters(), 0.1).step()", "Net()", "print(thing)", id="net"
        ),
        pytest.param("thing.count = 1", "Net()", "print(thing)", id="an attribute of a module"),
        pytest.param("thing.layer.weight.grad.zero_()", "Net()", "print(thing)", id="gradients"),
        pytest.param("optim.SGD(Net().parameters(), 0.1).step()", "Net()", "print(thing)", id="another module"),
    ],
)
def test_what_nobody_sees(changes: str, made: str, reads: str) -> None:
    assert codes(changes, made, reads) == []


OTHERS = """\
import torch
import torch.multiprocessing as mp
from torch import nn, optim
def train(model, number):
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    optimizer.step()
def main():
    {before}
    for number in range(4):
        {model}
        mp.{started}
if __name__ == "__main__":
    main()
"""
PROCESS = "Process(target=train, args=(model, number)).start()"


def test_other_workers_that_have_the_same() -> None:
    found = lint(OTHERS.format(before="model = nn.Linear(1, 1)", model="pass", started=PROCESS)).diagnostics
    assert [each.code for each in found] == ["LP228"]
    assert "the other processes find it changed" in found[0].message
    assert found[0].start_methods == PICKLED_ON_START


@pytest.mark.parametrize(
    ("before", "model", "started"),
    [
        pytest.param("pass", "model = nn.Linear(1, 1)", PROCESS, id="one for each"),
        pytest.param("model = nn.Linear(1, 1)\n    model.share_memory()", "pass", PROCESS, id="shared before"),
        pytest.param("model = nn.Linear(1, 1)", "pass", f"get_context('spawn').{PROCESS}", id="never forked"),
    ],
)
def test_other_workers_that_have_another(before: str, model: str, started: str) -> None:
    assert [code for _, code in marks(OTHERS.format(before=before, model=model, started=started))] == []


KEPT = """\
import multiprocessing as mp
import torch
class Worker(mp.Process):
    def __init__(self, counts):
        super().__init__()
        self.counts = counts
    def run(self):
        {changes}
def main():
    counts = torch.zeros(3)
    worker = Worker(counts)
    worker.start()
    worker.join()
    print(counts)
if __name__ == "__main__":
    main()
"""


def test_what_a_process_keeps() -> None:
    assert marks(KEPT.format(changes="self.counts[0] += 1")) == [(8, "LP228")]
    assert marks(KEPT.format(changes="print(self.counts)")) == []


POOL = """\
import multiprocessing as mp
import torch
_counts = None
def start(counts):
    global _counts
    _counts = {kept}
def count(number):
    _counts[number] += 1
    return number
def main():
    counts = torch.zeros(3)
    with mp.Pool(2, start, (counts,)) as pool:
        pool.map(count, range(3))
    print(counts)
if __name__ == "__main__":
    main()
"""


def test_what_the_tasks_of_a_pool_find_in_a_global() -> None:
    assert marks(POOL.format(kept="counts")) == [(8, "LP228")]
    assert marks(POOL.format(kept="counts.clone()")) == []


BY_OBJECT = """\
import multiprocessing as mp
import torch
class Base:
    def __init__(self, params):
        self.params = {kept}
class Optimiser(Base):
    def __init__(self, params, lr):
        super().__init__(params)
        self.lr = lr
    def step(self, grads):
        for param, grad in zip(self.params, grads):
            {step}
    def norm(self):
        return sum(param.sum() for param in self.params)
def dry_run(params):
    {run}
def main():
    params = [torch.zeros(2), torch.ones(3)]
    process = mp.Process(target=dry_run, args=(params,))
    process.start()
    process.join()
    print(params)
if __name__ == "__main__":
    main()
"""
MADE = "optimiser = Optimiser(params, lr=0.5)\n    optimiser.step([1, 2])"
IN_PLACE = "param.sub_(self.lr * grad)"


@pytest.mark.parametrize(
    ("kept", "step", "run"),
    [
        ("params", IN_PLACE, MADE),
        ("params", IN_PLACE, "Optimiser(lr=0.5, params=params).step([1, 2])"),
        ("list(params)", IN_PLACE, MADE),
        ("params", IN_PLACE, "Optimiser(list(params), 0.5).step([1, 2])"),
    ],
)
def test_what_an_object_that_keeps_it_changes(kept: str, step: str, run: str) -> None:
    assert marks(BY_OBJECT.format(kept=kept, step=step, run=run)) == [(12, "LP228")]


@pytest.mark.parametrize(
    ("kept", "step", "run"),
    [
        pytest.param("[each.clone() for each in params]", IN_PLACE, MADE, id="copies"),
        pytest.param("params", "print(param - grad)", MADE, id="only read"),
        pytest.param("params", "grad.sub_(param)", MADE, id="what it is not made with"),
        pytest.param("params", IN_PLACE, "print(Optimiser(params, 0.5).norm())", id="another method"),
        pytest.param("params", IN_PLACE, "Optimiser([torch.ones(2)], 0.5).step([1])", id="made with others"),
    ],
)
def test_what_an_object_leaves_alone(kept: str, step: str, run: str) -> None:
    assert marks(BY_OBJECT.format(kept=kept, step=step, run=run)) == []


SEARCH = """\
import multiprocessing
import torch
def perturb(weights, conn):
    {changes}
    conn.send(float(weights.sum()))
class Search:
    def __init__(self):
        self.weights = {made}
        self.other = torch.ones(2)
    def trial(self):
        here, there = multiprocessing.Pipe(False)
        process = multiprocessing.Process(target=perturb, args=({given}, there))
        process.start()
        process.join()
        return here.recv()
def main():
    search = Search()
    print(search.trial(), {reads})
if __name__ == "__main__":
    main()
"""


def of_attribute(
    changes: str = "weights.mul_(2)", made: str = "torch.ones(2)", given: str = "self.weights", reads: str = "weights"
) -> list[str]:
    text = SEARCH.format(changes=changes, made=made, given=given, reads=f"search.{reads}")
    return [code for _, code in marks(text) if code == "LP228"]


@pytest.mark.parametrize("changes", ["weights.mul_(2)", "weights[0] = 3", "weights.data.zero_()"])
@pytest.mark.parametrize(
    "made", ["torch.ones(2)", "torch.tensor([1]).float()", "torch.ones(2)\n        self.weights = self.weights.float()"]
)
@pytest.mark.parametrize("given", ["self.weights", "self.weights[:1]"])
def test_a_tensor_that_an_object_keeps(changes: str, made: str, given: str) -> None:
    assert of_attribute(changes, made, given) == ["LP228"]


@pytest.mark.parametrize(
    ("changes", "made", "given", "reads"),
    [
        pytest.param("weights = weights * 2", "torch.ones(2)", "self.weights", "weights", id="a new tensor"),
        pytest.param("weights.mul_(2)", "torch.ones(2)", "self.weights.clone()", "weights", id="a copy is given"),
        pytest.param("weights.mul_(2)", "torch.ones(2)", "self.weights", "other", id="another one is read"),
        pytest.param("weights.mul_(2)", "torch.ones(2).share_memory_()", "self.weights", "weights", id="shared before"),
        pytest.param("weights.mul_(2)", "[1.0, 2.0]", "self.weights", "weights", id="no tensor"),
    ],
)
def test_a_tensor_that_an_object_keeps_and_nobody_sees(changes: str, made: str, given: str, reads: str) -> None:
    assert of_attribute(changes, made, given, reads) == []


IN_DICT = """\
import copy
import multiprocessing as mp
from torch import nn, optim
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(1, 1)
        self.optimizer = optim.Adam(self.parameters())
class Agent:
    def __init__(self):
        self.actors = {actors}
        self.other = Net()
    def update(self, name):
        self.actors[name].optimizer.zero_grad()
        {changes}
    def train(self):
        process = mp.Process(target=self.update, args=("a",))
        process.start()
        process.join()
        {reads}
if __name__ == "__main__":
    Agent().train()
"""
STEP = "self.actors[name].optimizer.step()"
READS = "return self.actors['a'].state_dict()"


@pytest.mark.parametrize(
    ("actors", "changes", "reads", "is_found"),
    [
        pytest.param("{'a': Net()}", STEP, READS, True, id="in a dict"),
        pytest.param("[Net()]", STEP, "print(self.actors[0])", True, id="in a list"),
        pytest.param("{'a': Net(), 'b': Net()}", STEP, READS, True, id="several"),
        pytest.param("{str(n): Net() for n in range(2)}", STEP, READS, True, id="comprehended"),
        pytest.param("{'a': Net()}", "optim.SGD(self.actors[name].parameters(), 1).step()", READS, True, id="its own"),
        pytest.param("{'a': Net()}", STEP, "print('done')", False, id="nobody reads"),
        pytest.param("{'a': Net()}", "print(name)", READS, False, id="not stepped"),
        pytest.param("{'a': Net()}", "self.other.optimizer.step()", READS, False, id="another module"),
        pytest.param("{'a': Net()}", "optim.SGD(Net().parameters(), 1).step()", READS, False, id="a new one"),
        pytest.param(
            "{'a': Net()}", "copy.deepcopy(self.actors[name]).optimizer.step()", READS, False, id="a copy of one"
        ),
        pytest.param("{'a': Net().share_memory()}", STEP, READS, False, id="shared at once"),
    ],
)
def test_an_optimizer_that_a_module_in_a_container_keeps(actors: str, changes: str, reads: str, is_found: bool) -> None:
    text = IN_DICT.format(actors=actors, changes=changes, reads=reads)
    assert ("LP228" in [code for _, code in marks(text)]) is is_found
