"""Settings of a module that main changes by a function which takes their names as keywords."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.judging import migrate
from lintpickle.migration.model import Verdict
from lintpickle.settings import SettingsResolver

SETTINGS = """\
from dataclasses import dataclass, field


@dataclass
class HashSettings:
    buckets: int = 1024
    lowercase: bool = False
    stopwords: set = field(default_factory=set)
    title: str = "corpus"


_active = HashSettings()


def configure(**overrides):
    for key, value in overrides.items():
        {store}


def active():
    return _active
"""
MAIN = """\
import json
import multiprocessing
import sys

import settings


def size(text):
    {inside}
    return len(text) % {read}


def main():
    {call}
    with multiprocessing.Pool(1{initializer}) as pool:
        print(pool.map(size, ["The quick", "brown fox"]))


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
"""
ATTACH = "def attach(values):\n    settings.configure(**values)\n\n\n"
BUCKETS = "settings.active().buckets"


def told(
    folder: Path,
    call: str,
    read: str = BUCKETS,
    inside: str = "pass",
    initializer: str = "",
    store: str = "setattr(_active, key, value)",
) -> Verdict:
    (folder / "settings.py").write_text(SETTINGS.format(store=store), encoding="utf-8")
    code = MAIN.format(call=call, read=read, inside=inside, initializer=initializer)
    code = code.replace("def main", ATTACH + "def main") if initializer else code
    (folder / "main.py").write_text(code, encoding="utf-8")
    resolver = SettingsResolver(isolated=True, cwd=folder, overrides={"target-version": "==3.11"})
    found = migrate([str(folder)], resolver, StartMethod.SPAWN, "3.11").boundaries
    return min((each.verdict for each in found), key=list(Verdict).index)


@pytest.mark.parametrize(
    ("call", "store"),
    [
        pytest.param("settings.configure(buckets=int(sys.argv[1]))", "setattr(_active, key, value)", id="setattr"),
        pytest.param("settings.configure(title='x', buckets=64)", "setattr(_active, key, value)", id="among others"),
        pytest.param("settings.configure(**{'buckets': 64})", "setattr(_active, key, value)", id="of a dict"),
        pytest.param("settings.configure(buckets=64)", "_active.__dict__.update({key: value})", id="the dict of it"),
    ],
)
def test_what_main_names_and_workers_read(call: str, store: str, tmp_path: Path) -> None:
    assert told(tmp_path, call, store=store) is Verdict.CHANGES


@pytest.mark.parametrize(
    ("call", "read", "inside", "initializer"),
    [
        pytest.param("settings.configure(title='x')", BUCKETS, "pass", "", id="another one"),
        pytest.param("settings.configure(buckets=64)", "7", "pass", "", id="nothing is read"),
        pytest.param(
            "settings.configure(buckets=64)", BUCKETS, "settings.configure(buckets=64)", "", id="workers do so, too"
        ),
        pytest.param(
            "settings.configure(buckets=64)",
            BUCKETS,
            "pass",
            ", initializer=attach, initargs=({'buckets': 64},)",
            id="an initializer does so",
        ),
        pytest.param("settings.active()", BUCKETS, "pass", "", id="nothing is set"),
    ],
)
def test_what_workers_do_not_miss(call: str, read: str, inside: str, initializer: str, tmp_path: Path) -> None:
    assert told(tmp_path, call, read, inside, initializer) is Verdict.READY


@pytest.mark.parametrize(
    "call",
    [
        pytest.param("settings.configure(**json.load(open('settings.json')))", id="from a file"),
        pytest.param("change = settings.configure\n    change(**json.load(sys.stdin))", id="handed on"),
    ],
)
def test_names_that_are_not_written_out(call: str, tmp_path: Path) -> None:
    assert told(tmp_path, call) is Verdict.CANNOT_TELL


MODEL = """\
import argparse
import multiprocessing


class Model:
    dt = 1.0
    days = 20

    @classmethod
    def configure(cls, **params):
        for name, value in params.items():
            setattr(cls, name, value)

    def simulate(self, state):
        for _ in range(int(self.days / self.dt)):
            state = self.step(state)
        return state


class SIR(Model):
    beta = 0.3
    gamma = 0.1

    def step(self, state):
        return state * (1 + self.beta - self.gamma)


def simulate_town(infected):
    return SIR().simulate(infected)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rate", type=float, default=0.5)
    args = parser.parse_args()
    {call}
    with multiprocessing.Pool(2) as pool:
        print(pool.map(simulate_town, [0.01, 0.05]))


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
"""


@pytest.mark.parametrize(
    ("call", "read"),
    [
        pytest.param("Model.configure(dt=args.rate)", [("self.dt", "still `1.0`")], id="of the class"),
        pytest.param("SIR.configure(beta=args.rate)", [("self.beta", "still `0.3`")], id="of one that derives from it"),
        pytest.param("SIR.configure(unit='day')", [], id="what no worker reads"),
    ],
)
def test_the_attribute_that_a_class_is_told_is_named(call: str, read: list[tuple[str, str]], tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(MODEL.replace("{call}", call), encoding="utf-8")
    resolver = SettingsResolver(isolated=True, cwd=tmp_path, overrides={"target-version": "==3.11"})
    found = migrate([str(tmp_path)], resolver, StartMethod.SPAWN, "3.11").boundaries
    messages = [finding.diagnostic.message for each in found for finding in each.findings]
    assert [each.partition("reads `")[2].partition("`")[0] for each in messages] == [name for name, _ in read]
    assert all(each.endswith(outcome) for each, (_, outcome) in zip(messages, read, strict=True))
    assert not any(each.gaps for each in found)
