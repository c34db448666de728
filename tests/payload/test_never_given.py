"""A boundary behind a value of a parameter that no call of a program of scripts gives is only possible."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver

POLICY = """\
import torch
from torch import nn


class Policy(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.names = sizes.keys()

    def save(self, path, as_state_dict=True):
        if as_state_dict:
            torch.save(self.state_dict(), path)
        else:
            torch.save(self, path)
{more}
"""
TRAINING = """\
from policy import Policy


class Algorithm:
    def __init__(self, policy):
        self.policy = policy

    def save(self, folder, name, policy_as_state_dict=True, **extra):
        extra.update({{"name": name}})
        self.policy.save(folder + name, as_state_dict=policy_as_state_dict, **extra)


def main(algorithm):
    policy = Policy({{"actor": 64}})
    policy.save({first})
    algorithm.save("models", {second})
    {last}


if __name__ == "__main__":
    main(Algorithm(Policy({{"actor": 32}})))
"""
CALLS = {"first": '"policy.pt"', "second": 'name="last"', "last": "return policy", "more": ""}


def _codes(folder: Path, policy: str = POLICY, pedantic: str = "", **calls: str) -> list[str]:
    parts = {**CALLS, **calls}
    (folder / "policy.py").write_text(policy.format(**parts))
    (folder / "train.py").write_text(TRAINING.format(**parts))
    resolver = SettingsResolver(isolated=True, cwd=folder, overrides={"pedantic": bool(pedantic)})
    found = lint_paths([str(folder)], resolver=resolver).diagnostics
    return [each.code for each in found if each.code == "LP101"]


@pytest.mark.parametrize(
    "calls",
    [
        pytest.param({}, id="left out"),
        pytest.param({"first": '"policy.pt", True'}, id="given as it is"),
        pytest.param({"first": '"policy.pt", as_state_dict=True'}, id="by its name"),
        pytest.param({"second": 'name="last", policy_as_state_dict=True'}, id="handed on as it is"),
        pytest.param({"second": 'name="last", step=3'}, id="beside others"),
        pytest.param({"last": "open('log').write(policy, False)"}, id="a call of something else"),
        pytest.param({"more": "\n    def store(self, path):\n        self.save(path)"}, id="by another method"),
    ],
)
def test_a_flag_that_nobody_gives(tmp_path: Path, calls: dict[str, str]) -> None:
    assert _codes(tmp_path, **calls) == []


def test_it_stays_possible(tmp_path: Path) -> None:
    assert _codes(tmp_path, pedantic="yes") != []


@pytest.mark.parametrize(
    "calls",
    [
        pytest.param({"first": '"policy.pt", False'}, id="by its place"),
        pytest.param({"first": '"policy.pt", as_state_dict=False'}, id="by its name"),
        pytest.param({"first": '"policy.pt", as_state_dict=len(algorithm)'}, id="a value that is not known"),
        pytest.param({"first": '*("policy.pt", False)'}, id="in a tuple"),
        pytest.param({"first": '"policy.pt", **algorithm.options'}, id="in a dict of somewhere"),
        pytest.param({"second": 'name="last", policy_as_state_dict=False'}, id="handed on"),
        pytest.param({"second": '"last", False'}, id="handed on by its place"),
        pytest.param({"second": '"last", **algorithm.options'}, id="handed on in a dict"),
        pytest.param({"last": "dict(as_state_dict=False)"}, id="put into a dict"),
        pytest.param({"last": 'return {"as_state_dict": False}'}, id="written in a dict"),
        pytest.param({"last": "return policy.save"}, id="the method is given away"),
        pytest.param({"last": 'getattr(policy, "save")("x", False)'}, id="got by its name"),
        pytest.param({"last": "algorithm.other.save('x', False)"}, id="of an object that is not known"),
        pytest.param({"last": "Policy.save(policy, 'x', False)"}, id="of the class"),
        pytest.param({"last": "import fire\n    fire.Fire(policy)"}, id="for the command line"),
        pytest.param({"more": "\n    def store(self, path):\n        self.save(path, False)"}, id="by another method"),
    ],
)
def test_a_flag_that_somebody_may_give(tmp_path: Path, calls: dict[str, str]) -> None:
    assert _codes(tmp_path, **calls) != []


def test_the_default_asks_for_it(tmp_path: Path) -> None:
    assert _codes(tmp_path, policy=POLICY.replace("as_state_dict=True", "as_state_dict=False")) != []


def test_users_of_a_library_may_give_it(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "policies"\nversion = "1"\n')
    assert _codes(tmp_path) != []


def test_a_library_calls_its_own_hooks(tmp_path: Path) -> None:
    policy = POLICY.replace("nn.Module", "Trainable").replace("from torch import nn", "from trainers import Trainable")
    assert _codes(tmp_path, policy=policy) != []


RUNNER = """\
from multiprocessing import Pool


class Runner:
    def __init__(self, items):
        self.items = items

    def titled(self, title):
        self.title = title
        return self

    def run(self, use_pool=True):
        if use_pool:
            with Pool(2) as pool:
                return pool.map(lambda item: item + 1, self.items)
        return [item + 1 for item in self.items]


def main(engine, items):
    runner = Runner(items).titled("rows")
    {first}
    {second}


if __name__ == "__main__":
    main(__import__("engine"), [1, 2])
"""


def _of_runner(folder: Path, first: str, second: str) -> list[str]:
    (folder / "runner.py").write_text(RUNNER.format(first=first, second=second))
    found = lint_paths([str(folder)], resolver=SettingsResolver(isolated=True, cwd=folder)).diagnostics
    return [each.code for each in found if each.code == "LP201"]


@pytest.mark.parametrize("second", ["return engine.run()", "engine.train(items)", "return runner.title"])
def test_an_object_that_is_kept_where_it_is_made(tmp_path: Path, second: str) -> None:
    assert _of_runner(tmp_path, "runner.run(False)", second) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("runner.run(False)", "runner.run()"),
        ("runner.run(False)", "engine.start(runner).run()"),
        ("runner.run(False)", "engine.runner = runner\n    engine.runner.run()"),
        ("runner.run(False)", "return engine.run(), Runner"),
    ],
)
def test_an_object_that_others_may_get(tmp_path: Path, first: str, second: str) -> None:
    assert _of_runner(tmp_path, first, second) == ["LP201"]
