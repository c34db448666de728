"""A name that is bound anew to a partial of what it was (`fetch = partial(fetch, library="clip")`)."""

from __future__ import annotations

import pytest

from tests.support import lint

PROGRAM = """\
import sys
from functools import partial
from multiprocessing import Pool

try:
    {imported}

    fetch = partial(fetch, library="clip")
except ImportError:
    fetch = None

LEVEL = 0


def load(name):
    {body}


def main():
    global LEVEL
    LEVEL = len(sys.argv)
    with Pool(2) as pool:
        print(pool.map({given}, ["a", "b"]))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize("imported", ["from hub import fetch", "fetch = len", "fetch = lambda name, library: name"])
@pytest.mark.parametrize("given", ["load", "partial(load)", "fetch"])
def test_it_has_an_end(imported: str, given: str) -> None:
    outcome = lint(PROGRAM.format(imported=imported, body="return fetch(name)", given=given))
    assert not outcome.defects


def test_the_rest_of_the_worker_is_judged() -> None:
    text = PROGRAM.format(imported="from hub import fetch", body="return fetch(name) + LEVEL", given="load")
    assert "LP208" in [each.code for each in lint(text).diagnostics]


HOOK = """\
from functools import partial

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)
        note = lambda module, given, made: None
        note = partial(note)
        note = partial(note)
        self.layer.register_forward_hook(note)


torch.save(Model(), "model.pt")
torch.load("model.pt", weights_only=False)
"""


def test_a_hook() -> None:
    outcome = lint(HOOK)
    assert not outcome.defects
    assert "LP106" in [each.code for each in outcome.diagnostics]
