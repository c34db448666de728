"""Contexts that a branch gives together with no workers."""

from __future__ import annotations

import pytest

from tests.loading import HEAD
from tests.support import lint

PROGRAM = """\
def main(n):
    if platform.system() == "Windows":
        context = "spawn"
        workers = {first}
    {otherwise}
        context = "fork"
        workers = n
    {before}
    if workers > 0:
        loader = DataLoader(Data(), num_workers=workers, multiprocessing_context=context, collate_fn=lambda b: b)
        print(list(loader))
"""


@pytest.mark.parametrize(
    ("first", "otherwise", "before", "fires"),
    [
        pytest.param("0", "else:", "", False, id="none where they would be spawned"),
        pytest.param("0", "elif n > 2:", "", False, id="one of several"),
        pytest.param("2", "else:", "", True, id="some are spawned"),
        pytest.param("n", "else:", "", True, id="perhaps some are spawned"),
        pytest.param("0", "else:", "workers = n or 4", True, id="another number behind it"),
        pytest.param("0", "else:", "if n > 2:\n        workers = n", True, id="by another condition behind it"),
    ],
)
def test_a_context_without_workers(first: str, otherwise: str, before: str, fires: bool) -> None:
    text = f"import platform\n{HEAD}{PROGRAM.format(first=first, otherwise=otherwise, before=before)}"
    assert ([each.code for each in lint(text).diagnostics] != []) is fires


@pytest.mark.parametrize(
    ("condition", "fires"),
    [
        ("n > 0", False),
        ("n", False),
        ("n != 0", False),
        ("n >= 1 and torch_is_there()", True),
        ("n > 1", True),
        ("m > 0", True),
        ("n == 0", True),
    ],
)
def test_a_loader_made_where_there_are_no_workers(condition: str, fires: bool) -> None:
    main = (
        f"def main(n, m):\n    if {condition}:\n        print('no loader')\n    else:\n"
        "        print(list(DataLoader(Data(), num_workers=n, collate_fn=lambda b: b)))\n"
    )
    assert ([each.code for each in lint(f"{HEAD}{main}").diagnostics] != []) is fires
