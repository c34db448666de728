"""What tests of LP6xx have in common."""

from __future__ import annotations

from textwrap import dedent

from tests.support import marks

KEPT = """

from torch.utils.data import Dataset


class Keeper(Dataset):
    def __init__(self):
        self.kept = A(1, 2)
"""


def rows(source: str, code: str) -> list[int]:
    return [row for row, found in marks(dedent(source)) if found == code]


def indented(body: str) -> str:
    return "\n".join(" " * 8 + line for line in body.splitlines())
