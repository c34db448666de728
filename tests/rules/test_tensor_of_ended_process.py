"""LP241: tensor-of-ended-process."""

from __future__ import annotations

import pytest

from lintpickle.diagnostics import Confidence
from tests.pages import PageTests
from tests.support import lint, marks


class TestPage(PageTests):
    code = "LP241"


HEAD = """\
import multiprocessing
import time
import numpy as np
import torch
import torch.multiprocessing as mp
from dataclasses import dataclass
from torch import nn


@dataclass
class Result:
    rank: int
    scores: object


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 1)

    def forward(self, x):
        return self.fc(x)


class Evaluator:
    def __init__(self, rank):
        self.rank = rank
        self.model = nn.Sequential(nn.Linear(2, 3), nn.ReLU()).eval()

    @torch.no_grad()
    def __call__(self, rows):
        return torch.ones(rows) + self.rank

    def count(self):
        return self.rank

    def predict(self):
        index, x = shard(self.rank)
        return {"rank": self.rank, "index": index, "logits": self.model(x)}


def shard(rank):
    x = torch.randn(8, 2)
    return torch.arange(rank, 8, 2), x[rank::2]


def count(rank):
    return torch.ones(rank + 1).sum().item()


def take(q, n):
    return [q.get() for _ in range(n)]


def log(q):
    while True:
        print(q.get())


"""
GUARD = "\n\nif __name__ == '__main__':\n    main()\n"
SPAWN = "q = mp.get_context('spawn').SimpleQueue()\nmp.spawn(work, args=(q,), nprocs=2)\nprint(q.get())"
PROCESS = "q = mp.Queue()\np = mp.Process(target=work, args=(0, q))\np.start()\n"
JOINED = f"{PROCESS}p.join()\nprint(q.get())"
TAKEN = f"{PROCESS}print(q.get())\np.join()"
PUT = "q.put(torch.arange(4))"


def _indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


def found(work: str, main: str, more: str = "", parameters: str = "rank, q") -> list[str]:
    text = f"{HEAD}{more}def work({parameters}):\n{_indented(work)}\n\ndef main():\n{_indented(main)}{GUARD}"
    return [code for _, code in marks(text) if code == "LP241"]


@pytest.mark.parametrize(
    "work",
    [
        pytest.param(PUT, id="a tensor"),
        pytest.param("q.put((rank, torch.ones(4)))", id="in a tuple"),
        pytest.param("q.put({'rank': rank, 'x': torch.tensor([1.0, rank])})", id="in a dict"),
        pytest.param("q.put(Result(rank, torch.ones(4).mean()))", id="without dimensions, in a dataclass"),
        pytest.param("q.put(Evaluator(rank).predict())", id="what a method returns"),
        pytest.param("evaluate = Evaluator(rank)\nq.put((rank, evaluate(4)))", id="what a callable object returns"),
        pytest.param("x, y = shard(rank)\nq.put(y.cpu())", id="a part of what a function returns"),
        pytest.param("q.put(nn.Linear(2, 1).state_dict())", id="a state dict"),
        pytest.param(
            "net = Net().to('cpu')\nq.put({k: v.cpu() for k, v in net.state_dict().items()})", id="of a class, moved"
        ),
        pytest.param("q.put(Net())", id="a module"),
        pytest.param("net = Net()\nwith torch.no_grad():\n    q.put(net(torch.ones(1, 2)))", id="what a module gives"),
        pytest.param("out = []\nfor n in range(3):\n    out.append(torch.ones(n))\nq.put(out)", id="a list of them"),
        pytest.param("q.put([torch.ones(n) for n in range(3)])", id="by a comprehension"),
        pytest.param("x = torch.ones(4)\nx += rank\nq.put(x * 2)", id="added to"),
        pytest.param("q.put(torch.ones(2) if rank else torch.zeros(2))", id="in either case"),
        pytest.param("for n in range(3):\n    q.put((n, torch.ones(4)))\nq.put(None)", id="in a loop"),
    ],
)
@pytest.mark.parametrize("main", [pytest.param(SPAWN, id="spawn"), pytest.param(JOINED, id="process")])
def test_tensors_that_are_taken_when_the_process_has_ended(work: str, main: str) -> None:
    assert found(work, main) == ["LP241"]


@pytest.mark.parametrize(
    "work",
    [
        pytest.param("q.put(rank)", id="a number"),
        pytest.param("q.put(torch.ones(4).sum().item())", id="a number of a tensor"),
        pytest.param("q.put(count(rank))", id="a number that a function returns"),
        pytest.param("q.put(Evaluator(rank).count())", id="a number that a method returns"),
        pytest.param("q.put((rank, torch.ones(4).tolist()))", id="a list"),
        pytest.param("q.put({'x': torch.ones(4).numpy()})", id="an array"),
        pytest.param("q.put(np.ones(4))", id="an array of NumPy"),
        pytest.param("q.put({k: v.numpy() for k, v in Net().state_dict().items()})", id="arrays of weights"),
        pytest.param("q.put(list(Net().state_dict().keys()))", id="names of weights"),
        pytest.param("q.put([k for k, v in Net().state_dict().items()])", id="names in a comprehension"),
        pytest.param("q.put(torch.empty(0))", id="no elements"),
        pytest.param("q.put(torch.tensor([]))", id="no elements written out"),
        pytest.param("q.put(torch.cuda.device_count())", id="how many there are"),
        pytest.param("q.put(torch.ones(4).shape)", id="a shape"),
        pytest.param("q.put(torch.ones(4) if rank else None)", id="perhaps"),
        pytest.param("q.put(unknown(torch.ones(4)))", id="what is not known"),
    ],
)
@pytest.mark.parametrize("main", [pytest.param(SPAWN, id="spawn"), pytest.param(JOINED, id="process")])
def test_what_is_sent_without_memory_of_the_process(work: str, main: str) -> None:
    assert found(work, main) == []


@pytest.mark.parametrize(
    "main",
    [
        pytest.param(SPAWN.replace("nprocs=2", "nprocs=2, join=True"), id="told to join"),
        pytest.param(SPAWN.replace("mp.spawn", "mp.start_processes"), id="start_processes"),
        pytest.param(SPAWN.replace("SimpleQueue", "Queue"), id="a queue with a thread"),
        pytest.param(SPAWN.replace("mp.get_context", "multiprocessing.get_context"), id="of the standard library"),
        pytest.param(SPAWN.replace("print(q.get())", "take(q, 2)"), id="taken by a function"),
        pytest.param(
            SPAWN.replace("print(q.get())", "while not q.empty():\n    print(q.get())"), id="until it is empty"
        ),
        pytest.param(JOINED.replace("mp.", "multiprocessing."), id="a process of the standard library"),
        pytest.param(
            "q = mp.Queue()\nps = [mp.Process(target=work, args=(n, q)) for n in range(4)]\n"
            "for p in ps:\n    p.start()\nfor p in ps:\n    p.join()\nreturn [q.get() for _ in ps]",
            id="several processes",
        ),
    ],
)
def test_ways_to_join_before(main: str) -> None:
    assert found(PUT, main) == ["LP241"]


@pytest.mark.parametrize(
    ("work", "main"),
    [
        pytest.param(PUT, SPAWN.replace("nprocs=2", "nprocs=2, join=False"), id="not joined"),
        pytest.param(PUT, SPAWN.replace("nprocs=2", "nprocs=2, join=bool(q)"), id="joined perhaps"),
        pytest.param(PUT, SPAWN.replace("print(q.get())", "print(2)"), id="never taken"),
        pytest.param(PUT, SPAWN.replace("mp.get_context('spawn').SimpleQueue", "mp.Manager().Queue"), id="a manager's"),
        pytest.param(PUT, f"mp.set_sharing_strategy('file_system')\n{SPAWN}", id="by the file system"),
        pytest.param(
            PUT,
            "import threading\nq = mp.get_context('spawn').SimpleQueue()\n"
            "threading.Thread(target=log, args=(q,), daemon=True).start()\n"
            "mp.spawn(work, args=(q,), nprocs=2)\nq.get()",
            id="a thread takes it",
        ),
        pytest.param(
            PUT, JOINED.replace("mp.Process", "threading.Thread").replace("q =", "import threading\nq ="), id="a thread"
        ),
        pytest.param(PUT, JOINED.replace("p.join()", "p.terminate()"), id="stopped"),
        pytest.param(f"{PUT}\ntime.sleep(9)", TAKEN, id="lives on"),
    ],
)
def test_where_the_process_lives_or_nobody_asks_it(work: str, main: str) -> None:
    assert found(work, main) == []


@pytest.mark.parametrize(
    ("work", "fires"),
    [
        pytest.param(PUT, True, id="at the end"),
        pytest.param(f"{PUT}\nq.put(None)", True, id="and an end mark"),
        pytest.param("for n in range(4):\n    q.put(torch.ones(n + 1))", True, id="the last of a loop"),
        pytest.param(f"{PUT}\nprint('done')\nq.close()", True, id="and a line"),
        pytest.param(f"{PUT}\nrank.wait()", False, id="waits for an event"),
        pytest.param(f"{PUT}\nEvaluator(rank).predict()", False, id="goes on"),
        pytest.param("while (x := rank.get()) is not None:\n    q.put(torch.ones(x))", False, id="until it is told"),
        pytest.param("for x in iter(rank.get, None):\n    q.put(torch.ones(x))", False, id="for all that it is given"),
        pytest.param("q.put(3)", False, id="a number"),
    ],
)
def test_a_process_that_ends_right_after_the_put(work: str, fires: bool) -> None:
    assert found(work, TAKEN) == ["LP241"] * fires


@pytest.mark.parametrize(
    ("work", "main", "confidence"),
    [
        pytest.param(PUT, SPAWN, Confidence.CERTAIN, id="put always"),
        pytest.param(PUT, JOINED, Confidence.CERTAIN, id="put always, by a process"),
        pytest.param(f"if rank:\n    {PUT}", SPAWN, Confidence.LIKELY, id="put perhaps"),
        pytest.param(f"for n in range(rank):\n    {PUT}", SPAWN, Confidence.LIKELY, id="put perhaps, in a loop"),
        pytest.param(PUT, TAKEN, Confidence.LIKELY, id="a race"),
    ],
)
def test_only_what_always_fails_is_certain(work: str, main: str, confidence: Confidence) -> None:
    text = f"{HEAD}def work(rank, q):\n{_indented(work)}\n\ndef main():\n{_indented(main)}{GUARD}"
    assert [each.confidence for each in lint(text).diagnostics if each.code == "LP241"] == [confidence]


def test_gap_a_pipe() -> None:
    main = "r, w = mp.Pipe(False)\nmp.spawn(work, args=(w,), nprocs=1)\nprint(r.recv())"
    assert found("w.send(torch.ones(4))", main, parameters="rank, w") == []  # gap: pipes are not followed
