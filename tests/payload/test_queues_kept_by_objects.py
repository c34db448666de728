"""Queues that an object keeps which a process makes: the start of the process tells what they are."""

from __future__ import annotations

import pytest

from tests.support import marks

ROLLOUT = """\
from dataclasses import dataclass, field

import torch
import torch.multiprocessing as mp
from torch import nn


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 2))

    def act(self, seen):
        chosen = torch.distributions.Categorical(logits=self.net(seen))
        action = chosen.sample()
        return action, {logged}


@dataclass
class Episode:
    actor: int
    log_probs: list = field(default_factory=list)

    def add(self, log_prob):
        self.log_probs.append({kept})


class Actor:
    def __init__(self, rank, policy, sink):
        self.rank, self.policy, self.sink = rank, policy, sink

    def play(self):
        episode = Episode(self.rank)
        for _ in range(3):
            action, log_prob = self.policy.act(torch.zeros(4))
            episode.add(log_prob)
        return episode

    def run(self, episodes):
        for _ in range(episodes):
            {puts}


class Worker(mp.get_context("spawn").Process):
    def __init__(self, policy, sink):
        super().__init__()
        self.policy, self.sink = policy, sink

    def run(self):
        Actor(3, self.policy, self.sink).run(3)


def work(rank, policy, sink, episodes):
    {works}


def main():
    context = mp.get_context("spawn")
    sink, policy = {queue}, Policy()
    {starts}
    print(sink.get())


if __name__ == "__main__":
    main()
"""
PLAIN = {
    "logged": "chosen.log_prob(action)",
    "kept": "log_prob",
    "puts": "self.sink.put(self.play())",
    "works": "Actor(rank, policy, sink).run(episodes)",
    "queue": "context.Queue()",
    "starts": "context.Process(target=work, args=(0, policy, sink, 3)).start()",
}


def is_told(**changes: str) -> bool:
    return "LP127" in [code for _, code in marks(ROLLOUT.format(**{**PLAIN, **changes}))]


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"works": "actor = Actor(rank, policy, sink)\n    actor.run(episodes)"},
        {"puts": "episode = self.play()\n            self.sink.put((self.rank, episode))"},
        {"puts": "self.sink.put(self.play().log_probs)"},
        {"starts": "Worker(policy, sink).start()"},
        {"starts": "for n in range(2):\n        context.Process(target=work, args=(n, policy, sink, 3)).start()"},
    ],
)
def test_what_an_object_of_the_process_puts_into_it(changes: dict[str, str]) -> None:
    assert is_told(**changes)


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"kept": "log_prob.detach()"}, id="without the graph"),
        pytest.param({"kept": "float(log_prob)"}, id="a number"),
        pytest.param({"logged": "float(action)"}, id="no tensor of the graph"),
        pytest.param({"puts": "self.sink.put(self.rank)"}, id="something else"),
        pytest.param({"puts": "self.sink.append(self.play())", "queue": "[]"}, id="no queue"),
        pytest.param({"works": "print(Actor(rank, policy, sink).play())"}, id="nothing is put"),
        pytest.param({"works": "Actor(rank, policy, [])"}, id="nothing is given"),
        pytest.param({"starts": "print(work)"}, id="not started"),
    ],
)
def test_what_it_does_not(changes: dict[str, str]) -> None:
    assert not is_told(**changes)
