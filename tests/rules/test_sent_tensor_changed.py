"""LP253: sent-tensor-changed."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "LP253"


HEAD = """\
import copy
import multiprocessing
import torch
import torch.multiprocessing as mp
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from torch import nn


@dataclass
class Snapshot:
    step: int
    weights: dict


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 1)


def reader(q):
    while (x := q.get()) is not None:
        print(x)


def task(*given):
    return given


def publish(q, model, step):
    q.put((step, model.state_dict()))


def cloned(q, model, step):
    q.put((step, {k: v.clone() for k, v in model.state_dict().items()}))


def fill(out, value):
    out[:] = value


def epoch(model, opt, device):
    x = torch.ones(1, 2).to(device)
    model(x).sum().backward()
    opt.step()


class Saver:
    def __init__(self):
        self.queue = mp.get_context("spawn").Queue()
        self.proc = mp.get_context("spawn").Process(target=reader, args=(self.queue,))
        self.proc.start()

    def save(self, path, **payload):
        self.queue.put((str(path), payload))

    def save_copy(self, path, **payload):
        self.queue.put((str(path), copy.deepcopy(payload)))


"""
START = """\
q, out = mp.Queue(), mp.Queue()
mp.Process(target=reader, args=(q,)).start()
mp.Process(target=reader, args=(out,)).start()
buf, model = torch.zeros(4), nn.Linear(2, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
other = nn.Linear(2, 1)
"""
CAMERA = """\
class Camera:
    def __init__(self):
        self.q = mp.Queue()
        self.frame = torch.zeros(4)
        mp.Process(target=reader, args=(self.q,)).start()

    def shoot(self, number):
        self.frame[0] = number
        self.q.put(self.frame)


"""
TRAINER = """\
class Trainer:
    def __init__(self):
        self.q = mp.Queue()
        self.model = nn.Sequential(nn.Linear(2, 1)).to("cpu")
        self.opt = torch.optim.Adam(self.model.parameters())
        mp.Process(target=reader, args=(self.q,)).start()

    def train(self):
        self.model(torch.ones(1, 2)).sum().backward()
        self.opt.step()

    def keep(self, number):
        self.q.put({"number": number, "model": self.model.state_dict()})

    def fit(self):
        for number in range(9):
            self.train()
            self.keep(number)


"""
COPYING = TRAINER.replace("Trainer", "Copying").replace(
    "self.model.state_dict()", "copy.deepcopy(self.model.state_dict())"
)
GUARD = "\n\nif __name__ == '__main__':\n    main()\n"
LOOP = "for n in range(9):\n    "
STEP = f"{LOOP}model(torch.ones(1, 2)).sum().backward()\n    opt.step()\n    "


def found(body: str) -> list[str]:
    lines = [f"    {line}\n" for line in (START + body).splitlines()]
    own = CAMERA if "Camera(" in body else TRAINER if "Trainer(" in body else COPYING if "Copying(" in body else ""
    text = f"{HEAD}{own}def main():\n{''.join(lines)}{GUARD}"
    return [code for _, code in marks(text) if code in ("LP253", "LP227")]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(f"{LOOP}buf.fill_(n)\n    q.put(buf)", id="filled"),
        pytest.param(f"{LOOP}buf[0] = n\n    q.put((n, buf))", id="an item, in a tuple"),
        pytest.param(f"{LOOP}buf += n\n    q.put({{'n': n, 'buf': buf.detach()}})", id="added to, in a dict"),
        pytest.param(f"{LOOP}torch.add(buf, n, out=buf)\n    q.put(buf[:2])", id="a part of it"),
        pytest.param(f"{LOOP}fill(buf, n)\n    q.put(buf)", id="by a function"),
        pytest.param("q.put(buf)\nbuf.zero_()", id="once"),
        pytest.param("q.put(buf.data)\nnn.init.normal_(buf)", id="by a function of torch"),
        pytest.param(f"s = multiprocessing.SimpleQueue()\n{LOOP}buf.fill_(n)\n    s.put(buf)", id="a simple queue"),
        pytest.param(f"a, b = multiprocessing.Pipe()\n{LOOP}buf.fill_(n)\n    a.send(buf)", id="a pipe"),
        pytest.param(f"camera = Camera()\n{LOOP}camera.shoot(n)", id="of an object, in each call"),
        pytest.param(f"{STEP}q.put((n, model.state_dict()))", id="a state dict"),
        pytest.param(f"{STEP}q.put(model)", id="a module"),
        pytest.param(f"{STEP}q.put(opt.state_dict())", id="an optimizer's"),
        pytest.param(f"{STEP}q.put(Snapshot(n, model.state_dict()))", id="in a dataclass"),
        pytest.param(f"{STEP}q.put(dict(n=n, model=model.state_dict()))", id="in a call of dict"),
        pytest.param(f"{STEP}state = {{'model': model.state_dict()}}\n    q.put(state)", id="by another name"),
        pytest.param(f"{STEP}q.put(dict(model.state_dict()))", id="another dict of the same tensors"),
        pytest.param(f"{STEP}publish(q, model, n)", id="sent by a function"),
        pytest.param(f"s = Saver()\n{STEP}s.save(f'{{n}}.pt', n=n, model=model.state_dict())", id="sent by a method"),
        pytest.param(f"{LOOP}epoch(model, opt, 'cpu')\n    q.put(model.state_dict())", id="stepped by a function"),
        pytest.param(
            f"model = Net().to('cpu')\nopt = torch.optim.AdamW(model.parameters())\n{STEP}q.put(model.state_dict())",
            id="of a class, moved",
        ),
        pytest.param(
            f"scaler = torch.amp.GradScaler()\n{LOOP}scaler.step(opt)\n    q.put(model.state_dict())", id="scaled"
        ),
        pytest.param(
            f"{LOOP}q.put(model.state_dict())\n    with torch.no_grad():\n        for p in model.parameters():\n"
            "            p.add_(1)",
            id="each weight by itself",
        ),
        pytest.param(f"{LOOP}q.put(model.state_dict())\n    model.load_state_dict(torch.load('a'))", id="loaded anew"),
        pytest.param("Trainer().fit()", id="both in methods"),
        pytest.param(
            f"with ProcessPoolExecutor(2) as pool:\n    {LOOP}    buf[0] = n\n        pool.submit(task, buf)",
            id="a task",
        ),
        pytest.param(f"pool = mp.Pool(2)\n{LOOP}buf[0] = n\n    pool.apply_async(task, (buf,))", id="of a pool"),
    ],
)
def test_tensors_that_are_changed_after_they_were_sent(body: str) -> None:
    assert found(body) == ["LP253"]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(f"{LOOP}buf.fill_(n)\n    q.put(buf.clone())", id="a clone"),
        pytest.param(f"{LOOP}buf.fill_(n)\n    q.put(buf.detach().clone())", id="detached"),
        pytest.param(f"{LOOP}buf.fill_(n)\n    q.put(buf.numpy())", id="an array"),
        pytest.param(f"{LOOP}buf.fill_(n)\n    q.put(buf.tolist())", id="a list"),
        pytest.param(f"{LOOP}buf.fill_(n)\n    q.put(buf + 1)", id="a sum"),
        pytest.param(f"{LOOP}buf.fill_(n)\n    q.put(buf.sum().item())", id="a number"),
        pytest.param(f"{LOOP}buf = torch.zeros(4)\n    buf += n\n    q.put(buf)", id="made anew"),
        pytest.param(f"{LOOP}buf = buf + n\n    q.put(buf)", id="another one"),
        pytest.param(f"{LOOP}buf.fill_(n)\nq.put(buf)", id="at the end"),
        pytest.param(f"{LOOP}buf.fill_(n)\n    q.put(buf)\n    out.get()", id="answered"),
        pytest.param(f"buf.share_memory_()\n{LOOP}buf.fill_(n)\n    q.put(buf)", id="shared on purpose"),
        pytest.param(f"{STEP}q.put({{k: v.clone() for k, v in model.state_dict().items()}})", id="cloned"),
        pytest.param(f"{STEP}q.put({{k: v.cpu() for k, v in model.state_dict().items()}})", id="perhaps copied"),
        pytest.param(f"{STEP}q.put(copy.deepcopy(model.state_dict()))", id="a deep copy"),
        pytest.param(f"{STEP}q.put(copy.deepcopy(model))", id="of the module"),
        pytest.param(f"{STEP}q.put(other.state_dict())", id="another module"),
        pytest.param(f"{STEP}cloned(q, model, n)", id="cloned by a function"),
        pytest.param(f"s = Saver()\n{STEP}s.save_copy('a.pt', model=model.state_dict())", id="copied by a method"),
        pytest.param(f"s = Saver()\n{STEP}s.save('a.pt', n=n)", id="no weights"),
        pytest.param(f"{STEP}pass\nq.put(model.state_dict())", id="after the training"),
        pytest.param(
            f"{LOOP}q.put(model)\n    model.zero_grad()\n    model.eval()\n    opt.zero_grad()", id="gradients"
        ),
        pytest.param(
            f"{LOOP}q.put(model)\n    for p in model.parameters():\n        p.grad.zero_()", id="each gradient"
        ),
        pytest.param(
            f"{LOOP}q.put(model)\n    for p in model.parameters():\n        p.requires_grad_(False)", id="flags"
        ),
        pytest.param("Copying().fit()", id="copied in a method"),
        pytest.param("with ProcessPoolExecutor(2) as pool:\n    pool.submit(task, buf)\nbuf[0] = 1", id="a task done"),
        pytest.param(f"import queue\nq = queue.Queue()\n{LOOP}buf.fill_(n)\n    q.put(buf)", id="of threads"),
    ],
)
def test_tensors_that_are_not(body: str) -> None:
    assert found(body) == []


def test_weights_that_are_loaded_as_they_come_may_be_newer() -> None:
    actor = "def actor(q):\n    model = nn.Linear(2, 1)\n    while True:\n        model.load_state_dict(q.get())\n\n\n"
    lines = [f"    {line}\n" for line in f"{START}{STEP}q.put(model.state_dict())".splitlines()]
    main = f"def main():\n{''.join(lines)}{GUARD}".replace("target=reader", "target=actor")
    assert [code for _, code in marks(HEAD + actor + main) if code == "LP253"] == []
