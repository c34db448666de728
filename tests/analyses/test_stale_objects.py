"""Objects that processes have, and that the main process changes by their methods (LP240)."""

from __future__ import annotations

import pytest

from tests.support import marks

HEAD = """\
import multiprocessing as mp
import numpy as np


class Policy:
    def __init__(self):
        self.weights = np.zeros(3)
        self.version = 0
        self.log = []

    def act(self, obs):
        return self.weights @ obs

    def update(self, gradient):
        self.weights += gradient
        self.version += 1

    def note(self, text):
        self.log.append(text)


class Shared:
    def __init__(self):
        self.weights = mp.Array("d", 3)

    def act(self, obs):
        return self.weights[0]

    def update(self, gradient):
        self.weights[0] = gradient


def serve(policy, tasks, found):
    for obs in iter(tasks.get, None):
        found.put(policy.act(obs))


def serve_newest(policy, tasks, found):
    for obs, weights in iter(tasks.get, None):
        policy.weights = weights
        found.put(policy.act(obs))


class Actor(mp.Process):
    def __init__(self, policy, tasks, found):
        super().__init__()
        self.policy = policy
        self.tasks, self.found = tasks, found

    def run(self):
        for obs in iter(self.tasks.get, None):
            self.found.put(self.policy.weights @ obs)


class Fresh(Actor):
    def run(self):
        for obs in iter(self.tasks.get, None):
            self.policy.weights = obs
            self.found.put(self.policy.weights)


class Learner:
    def __init__(self, kind=Actor):
        self.policy = Policy()
        self.tasks, self.found = mp.Queue(), mp.Queue()
        self.actors = [Actor(self.policy, self.tasks, self.found) for _ in range(2)]

    def step(self):
        self.tasks.put(np.ones(3))
        self.policy.CHANGE

    def send_and_step(self):
        self.tasks.put((self.policy.weights, np.ones(3)))
        self.policy.CHANGE

    def run(self):
        for each in self.actors:
            each.start()
        for _ in range(9):
            self.STEP()


"""
BEGIN = """\
tasks, found, policy = mp.Queue(), mp.Queue(), {policy}()
workers = [{worker} for _ in range(2)]
for each in workers:
    each.start()
"""
SERVING = "mp.Process(target=serve, args=(policy, tasks, found))"
ACTING = "Actor(policy, tasks, found)"
LOOP = "for n in range(9):\n    tasks.put(n)\n    "
GUARD = "\n\nif __name__ == '__main__':\n    main()\n"


def found(body: str, head: str = HEAD) -> list[str]:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return [code for _, code in marks(f"{head}def main():\n{lines}{GUARD}") if code == "LP240"]


def of_learner(step: str, change: str) -> str:
    return HEAD.replace("STEP", step).replace("CHANGE", change)


@pytest.mark.parametrize("worker", [SERVING, ACTING])
@pytest.mark.parametrize(
    "body",
    [
        pytest.param(f"{LOOP}policy.update(found.get())", id="in a loop"),
        pytest.param("policy.update(1)\ntasks.put(2)", id="once"),
        pytest.param(f"{LOOP}for _ in range(2):\n        policy.update(1)", id="in an inner loop"),
    ],
)
def test_objects_that_their_methods_change(body: str, worker: str) -> None:
    begin = BEGIN.format(policy="Policy", worker=worker)
    assert found(begin + body) == ["LP240"]


def test_attributes_of_an_object_that_makes_the_processes() -> None:
    assert found("Learner().run()", of_learner("step", "update(1)")) == ["LP240"]


@pytest.mark.parametrize(
    ("policy", "worker", "body"),
    [
        pytest.param("Policy", SERVING, f"{LOOP}policy.note('n')", id="not read"),
        pytest.param("Policy", ACTING, f"{LOOP}policy.note('n')", id="not read by an object"),
        pytest.param("Policy", SERVING, f"{LOOP}policy.act(n)", id="not changed"),
        pytest.param("Shared", SERVING, f"{LOOP}policy.update(n)", id="shared"),
        pytest.param("Policy", SERVING.replace("serve", "serve_newest"), f"{LOOP}policy.update(1)", id="got anew"),
        pytest.param("Policy", "Fresh(policy, tasks, found)", f"{LOOP}policy.update(1)", id="set anew"),
        pytest.param(
            "Policy", SERVING, "for n in range(9):\n    tasks.put((n, policy.weights))\n    policy.update(1)", id="sent"
        ),
        pytest.param("Policy", SERVING, "tasks.put(1)\ntasks.put(None)\npolicy.update(1)", id="at the end"),
        pytest.param("Policy", SERVING, "tasks.put(1)\npolicy.update(1)\ntasks.put(None)", id="before the last mark"),
    ],
)
def test_objects_that_are_as_the_workers_have_them(policy: str, worker: str, body: str) -> None:
    assert found(BEGIN.format(policy=policy, worker=worker) + body) == []


@pytest.mark.parametrize("worker", [SERVING, ACTING])
def test_what_is_changed_before_the_start(worker: str) -> None:
    begin = BEGIN.format(policy="Policy", worker=worker).replace("workers = ", "policy.update(1)\nworkers = ")
    assert found(f"{begin}{LOOP}found.get()") == []


@pytest.mark.parametrize(("step", "change"), [("step", "note(1)"), ("step", "act(1)"), ("send_and_step", "update(1)")])
def test_attributes_that_are_as_the_workers_have_them(step: str, change: str) -> None:
    head = of_learner(step, change)
    if step == "send_and_step":
        head = head.replace(
            "    def step(self):\n        self.tasks.put(np.ones(3))\n        self.policy.update(1)\n\n", ""
        )
    assert found("Learner().run()", head) == []
