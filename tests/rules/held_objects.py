"""What tests of LP114 to LP123 have in common."""

from __future__ import annotations

from textwrap import indent

from tests.support import marks

IMPORTS = """\
import collections, copy, functools, logging, os, re, threading, types, weakref
import cv2
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
"""


DATA = """
class Data(Dataset):
    def __init__(self, source=None):
{body}

    def _read(self, index):
        return index

    def __private(self, index):
        return index

    def __getitem__(self, index):
        return index
"""


NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(1, 1)
{body}
"""


def codes(text: str, *, silent: tuple[str, ...] = ("LP102", "LP103", "LP301")) -> list[str]:
    return [code for _, code in marks(IMPORTS + text) if code not in silent]


def held(statement: str, before: str = "") -> list[str]:
    """The codes for a statement in the constructor of a dataset."""
    return codes(before + DATA.format(body=indent(statement, " " * 8)))
