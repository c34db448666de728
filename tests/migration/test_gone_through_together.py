"""What `migrate` knows of things that a loop takes by `enumerate` and `zip` from dicts and lists. What is said
follows what programs of the kind do under fork and spawn (CPython 3.11)."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

LOOP = """\
import functools
import multiprocessing


def steady(rng, gap=1.0):
    return gap


def simulate(name, law, seed):
    print(name, law(None), seed)


def main():
    laws = {{"steady": steady, "other": {law}}}
    started = []
    for {target} in {iterable}:
        started.append(multiprocessing.Process(target=simulate, args=(name, law, 1)))
    for process in started:
        process.start()


if __name__ == "__main__":
    main()
"""
WAYS = [
    ("seed, (name, law)", "enumerate(laws.items())"),
    ("(name, law), seed", "zip(laws.items(), [1, 2])"),
    ("seed, name, law", "zip([1, 2], laws.keys(), laws.values())"),
    ("seed, (name, law)", "enumerate(sorted(laws.items(), key=str), 1)"),
    ("name, (seed, law)", "zip(laws, enumerate(laws.values()))"),
]


@pytest.mark.parametrize(("target", "iterable"), WAYS)
@pytest.mark.parametrize("law", ["lambda rng: 2.0", "functools.partial(steady, gap=lambda: 1)"])
def test_what_does_not_pickle_breaks(tmp_path: Path, target: str, iterable: str, law: str) -> None:
    code = LOOP.format(law=law, target=target, iterable=iterable)
    assert worst(migrated(tmp_path, code)) is Verdict.BREAKS


@pytest.mark.parametrize(("target", "iterable"), WAYS)
@pytest.mark.parametrize("law", ["functools.partial(steady, gap=2.0)", "steady"])
def test_what_pickles_is_ready(tmp_path: Path, target: str, iterable: str, law: str) -> None:
    code = LOOP.format(law=law, target=target, iterable=iterable)
    assert worst(migrated(tmp_path, code)) is Verdict.READY


def test_what_is_taken_from_elsewhere_is_not_known(tmp_path: Path) -> None:
    code = LOOP.format(law="steady", target="seed, (name, law)", iterable="enumerate(load().items())")
    code = "from elsewhere import load\n" + code
    assert worst(migrated(tmp_path, code)) is Verdict.CANNOT_TELL
