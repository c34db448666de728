"""Loaders that are made alike in each branch of a condition, and numbers of workers that depend on the machine."""

from __future__ import annotations

import pytest

from tests.support import lint

HEAD = """\
import multiprocessing as mp
import os

import torch
from torch.utils.data import DataLoader


def load(path):
    return torch.load(path)


def collate(batch):
    return batch[0]


"""

CERTAIN = {
    "all processors": """\
def read(paths):
    return list(DataLoader(paths, collate_fn=lambda b: load(b[0]), num_workers=mp.cpu_count()))
""",
    "some of them": """\
def read(paths):
    workers = min(8, os.cpu_count())
    return list(DataLoader(paths, collate_fn=lambda b: load(b[0]), num_workers=workers))
""",
    "all but one": """\
def read(paths):
    return list(DataLoader(paths, collate_fn=lambda b: load(b[0]), num_workers=max(1, mp.cpu_count() - 1)))
""",
    "those that it may use": """\
def read(paths):
    return list(DataLoader(paths, collate_fn=lambda b: load(b[0]), num_workers=len(os.sched_getaffinity(0))))
""",
    "either branch": """\
def read(category, folder):
    if category < 0:
        for x in DataLoader(os.listdir("all/" + folder), collate_fn=lambda b: load(b[0]), num_workers=12):
            print(x)
    else:
        for x in DataLoader(os.listdir("one/" + folder), collate_fn=lambda b: load(b[1]), num_workers=4):
            print(x)
""",
    "each of three": """\
def loader(paths, mode):
    if mode == "train":
        return DataLoader(paths, collate_fn=lambda b: b[0], num_workers=8)
    elif mode == "valid":
        return DataLoader(paths, collate_fn=lambda b: b[1], num_workers=4)
    else:
        return DataLoader(paths, collate_fn=lambda b: b[2], num_workers=2)
""",
}

UNSURE = {
    "half of the processors": """\
def read(paths):
    return list(DataLoader(paths, collate_fn=lambda b: load(b[0]), num_workers=mp.cpu_count() // 2))
""",
    "the smaller of two, of which one is not known": """\
def read(paths, most):
    return list(DataLoader(paths, collate_fn=lambda b: load(b[0]), num_workers=min(most, mp.cpu_count())))
""",
    "all but one, which may be none": """\
def read(paths):
    return list(DataLoader(paths, collate_fn=lambda b: load(b[0]), num_workers=mp.cpu_count() - 1))
""",
    "a function that can be shipped in the other branch": """\
def loader(paths, mode):
    if mode:
        return DataLoader(paths, collate_fn=lambda b: b[0], num_workers=8)
    else:
        return DataLoader(paths, collate_fn=collate, num_workers=8)
""",
    "no workers in the other branch": """\
def loader(paths, mode):
    if mode:
        return DataLoader(paths, collate_fn=lambda b: b[0], num_workers=8)
    else:
        return DataLoader(paths, collate_fn=lambda b: b[0], num_workers=0)
""",
    "no other branch": """\
def loader(paths, mode):
    if mode:
        return DataLoader(paths, collate_fn=lambda b: b[0], num_workers=8)
""",
    "one that may return before": """\
def loader(paths, mode, quick):
    if mode:
        return DataLoader(paths, collate_fn=lambda b: b[0], num_workers=8)
    else:
        if quick:
            return None
        return DataLoader(paths, collate_fn=lambda b: b[0], num_workers=8)
""",
    "a variable that the branches set": """\
def loader(paths, mode):
    if mode:
        join = lambda b: b[0]
        return DataLoader(paths, collate_fn=join, num_workers=8)
    else:
        join = collate
        return DataLoader(paths, collate_fn=join, num_workers=8)
""",
    "two of three": """\
def loader(paths, mode):
    if mode == "train":
        return DataLoader(paths, collate_fn=lambda b: b[0], num_workers=8)
    elif mode == "valid":
        return DataLoader(paths, collate_fn=lambda b: b[1], num_workers=4)
    else:
        return paths
""",
}


def confidences(code: str) -> set[str]:
    return {each.confidence.value for each in lint(HEAD + code).diagnostics if each.code == "LP201"}


@pytest.mark.parametrize("name", CERTAIN)
def test_certain(name: str) -> None:
    assert confidences(CERTAIN[name]) == {"certain"}


@pytest.mark.parametrize("name", UNSURE)
def test_likely(name: str) -> None:
    assert "certain" not in confidences(UNSURE[name])


OPTION = """\
def read(paths):
    {options}
    {test}
        return DataLoader(paths, collate_fn=lambda b: load(b[0]), num_workers=2)
"""


@pytest.mark.parametrize(
    ("options", "test", "is_certain"),
    [
        ("ARGS = argparse.ArgumentParser().parse_args()", "if ARGS.parallel:", True),
        ("OPTS = argparse.ArgumentParser().parse_args()", "if OPTS.parallel:", True),
        ("STATE = settings()", "if STATE.parallel:", False),
        ("ARGS_SEEN = settings()", "if ARGS_SEEN.parallel:", False),
    ],
)
def test_options_in_capitals(options: str, test: str, is_certain: bool) -> None:
    text = f"import argparse\n\nfrom project import settings\n\n{OPTION.format(options=options, test=test)}"
    assert ("certain" in confidences(text)) is is_certain
