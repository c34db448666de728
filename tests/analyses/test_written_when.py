"""What is made under one condition, and written under another one that is never true together with it."""

from __future__ import annotations

import pytest

from tests.support import marks

HEAD = """\
from collections import OrderedDict, defaultdict

import numpy as np
import torch


def merged(parts, raw=False):
    grouped = defaultdict(list)
    for part in parts:
        grouped[part.name].append(part)
    if raw:
        return grouped
    return OrderedDict(grouped)


def read(path):
    return torch.load(path)


"""
NEVER_WRITTEN = {
    "chosen by the same flag": """\
def save(parts, path, raw=False):
    if raw:
        result = []
    else:
        result = np.zeros(0)
    for part in parts:
        if raw:
            result.append(part.cpu())
        else:
            result = np.append(result, part)
    if raw:
        torch.save(result, path)
    else:
        result.tofile(path)
""",
    "returned by the same flag": """\
def save(parts, path, raw=False):
    state = merged(parts, raw=raw)
    if raw:
        for name, part in state.items():
            torch.save(part[0].float(), f"{path}-{name}")
        return
    torch.save({"model": state}, path)
""",
    "given another value before": """\
def save(parts, path, raw=False):
    if len(parts) == 1:
        raw = True
    state = merged(parts, raw)
    if not raw:
        torch.save({"model": state}, path)
""",
    "in a function within": """\
def save(parts, path, raw=False):
    state = merged(parts, raw)

    def write(state):
        torch.save({"model": state}, path)

    if raw:
        return
    write(state)
""",
}
WRITTEN = {
    "the contrary": (
        """\
def save(parts, path, raw=False):
    if raw:
        result = []
    else:
        result = np.zeros(0)
    if not raw:
        torch.save(result, path)
""",
        26,
    ),
    "another flag": (
        """\
def save(parts, path, raw=False, whole=False):
    if raw:
        result = []
    else:
        result = np.zeros(0)
    if whole:
        torch.save(result, path)
""",
        26,
    ),
    "returned, and the contrary": (
        """\
def save(parts, path, raw=False):
    state = merged(parts, raw=raw)
    if raw:
        torch.save({"model": state}, path)
""",
        23,
    ),
    "given another value in between": (
        """\
def save(parts, path, raw=False):
    state = merged(parts, raw)
    raw = len(state) > 8
    if not raw:
        torch.save({"model": state}, path)
""",
        24,
    ),
    "given another value in a loop": (
        """\
def save(parts, path, raw=False):
    for part in parts:
        raw = raw or part.is_raw
        if raw:
            state = defaultdict(list)
        if not raw:
            torch.save({"model": state}, path)
""",
        26,
    ),
    "the flag of something else": (
        """\
def save(parts, path, raw=False, flat=False):
    state = merged(parts, flat)
    if not raw:
        torch.save({"model": state}, path)
""",
        23,
    ),
}


@pytest.mark.parametrize("text", NEVER_WRITTEN.values(), ids=NEVER_WRITTEN)
def test_what_is_never_written(text: str) -> None:
    assert marks(HEAD + text) == []


@pytest.mark.parametrize(("text", "row"), WRITTEN.values(), ids=WRITTEN)
def test_what_is_written(text: str, row: int) -> None:
    assert marks(HEAD + text) == [(row, "LP503")]
