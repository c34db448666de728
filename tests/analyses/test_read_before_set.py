"""A global that the worker's own function sets, but reads before: only the main guard has given it a value."""

from __future__ import annotations

import pytest

from ..support import marks

TEXT = """\
import multiprocessing


def download(url):
    global warned
    {body}


{bound}if __name__ == "__main__":
    warned = False
    with multiprocessing.Pool(2) as pool:
        pool.map(download, ["a", "b"])
"""


@pytest.mark.parametrize(
    ("body", "bound", "found"),
    [
        ("if not warned:\n        print(url)\n        warned = True", "", True),
        ("print(warned)\n    warned = url", "", True),
        ("warned = url\n    print(warned)", "", False),
        ('"""Sets warned."""\n    warned = url  # warned\n    print(warned)', "", False),
        ("for warned in url:\n        print(warned)", "", False),
        ("with open(url) as warned:\n        print(warned.read())", "", False),
        ("try:\n        print(warned)\n    except NameError:\n        warned = url", "", False),
        ("globals()['warned'] = url\n    print(globals()['warned'])", "", False),
        ("import os as warned\n    print(warned.getpid())", "", False),
        ("if not warned:\n        print(url)\n        warned = True", "warned = False\n\n\n", False),
    ],
)
def test_a_global_of_the_guard(body: str, bound: str, found: bool) -> None:
    assert [code for _, code in marks(TEXT.format(body=body, bound=bound))] == ["LP208"] * found
