"""What loops and conditions take out of mappings that are written."""

from __future__ import annotations

from textwrap import indent

import pytest

from tests.support import marks

_MODULE = """
import threading
import types

import torch

LEFT_OUT = ("lock", "schedule")
PAIRS = (("lock", 1), ("schedule", 2))


def save(path, settings):
{body}
    torch.save(values, path)


def main():
    settings = types.SimpleNamespace(rate=0.1)
    settings.lock = threading.Lock()
    settings.schedule = lambda epoch: 0.1
    save("settings.pt", settings)


if __name__ == "__main__":
    main()
"""
_LITERAL = "values = {'lock': threading.Lock(), 'schedule': lambda epoch: 0.1, 'rate': 0.1}"
_COPIES = [_LITERAL, "values = vars(settings).copy()", "values = dict(vars(settings))", "values = {**vars(settings)}"]


def _found(*rows: str) -> set[str]:
    return {code for _, code in marks(_MODULE.format(body=indent("\n".join(rows), "    "))) if code.startswith("LP1")}


@pytest.mark.parametrize("values", _COPIES)
@pytest.mark.parametrize(
    "taking",
    [
        "for name in LEFT_OUT:\n    values.pop(name, None)",
        "for name in LEFT_OUT:\n    del values[name]",
        "for name in LEFT_OUT:\n    if name in values:\n        del values[name]",
        "for name, _ in PAIRS:\n    values.pop(name, None)",
        "for name in LEFT_OUT:\n    print(name)\n    values.pop(name, None)\n    print(values)",
        "for name in ('lock', 'schedule'):\n    if name in values:\n        values.pop(name)",
        "if 'lock' in values:\n    del values['lock']\nif 'schedule' in values:\n    del values['schedule']",
    ],
)
def test_what_is_surely_taken_out(values: str, taking: str) -> None:
    assert _found(values, taking) == set()


@pytest.mark.parametrize("values", _COPIES)
@pytest.mark.parametrize(
    "taking",
    [
        "for name in LEFT_OUT[1:1]:\n    print(name)",
        "for name in ('rate', 'seed'):\n    values.pop(name, None)",
        "for name in LEFT_OUT:\n    if path:\n        values.pop(name, None)",
        "for name in LEFT_OUT:\n    if name in path:\n        values.pop(name, None)",
        "for name in LEFT_OUT:\n    if path:\n        break\n    values.pop(name, None)",
        "for name in LEFT_OUT:\n    if path:\n        continue\n    values.pop(name, None)",
        "if 'rate' in values:\n    del values['lock']\n    del values['schedule']",
        "other = dict(values)\nfor name in LEFT_OUT:\n    other.pop(name, None)",
    ],
)
def test_what_may_still_be_there(values: str, taking: str) -> None:
    assert _found(values, taking) == {"LP102", "LP111"}
