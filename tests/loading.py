"""What programs begin with that tests of values and conditions hand to workers."""

from __future__ import annotations

HEAD = """\
import argparse, inspect, os, queue, threading, types
import multiprocessing as mp
import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing import Pool
from types import SimpleNamespace
from torch.utils.data import DataLoader, Dataset


class Data(Dataset):
    def __len__(self):
        return 3

    def __getitem__(self, index):
        return index


def work(item):
    return item

"""
