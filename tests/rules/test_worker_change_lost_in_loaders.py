"""LP207: what the workers of a DataLoader change of their copy of a dataset. All of these programs were run with torch
2.13 under fork and spawn, except where nothing tells a difference."""

from __future__ import annotations

import pytest

from tests.support import changed, marks

TEXT = """\
import argparse
import multiprocessing as mp
from collections import Counter, defaultdict

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, IterableDataset, Sampler, Subset


class Stats:
    def __init__(self):
        self.total = 0

    def add(self, item):
        self.total += 1


class Data(Dataset):
    def __init__(self, n=8):
        self.n = n
        self.bad = []

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        self.bad.append(i)
        return i

    def report(self):
        return len(self.bad)

    @property
    def share(self):
        return len(self.bad) / self.n


class Stream(IterableDataset):
    def __init__(self):
        self.skipped = 0

    def __iter__(self):
        for i in range(16):
            if i % 2:
                self.skipped += 1
                continue
            yield i


class Ordered(Sampler):
    def __init__(self, n):
        self.n, self.given = n, 0

    def __iter__(self):
        for i in range(self.n):
            self.given += 1
            yield i


def train(loader):
    for _ in loader:
        pass


def write_report(data):
    for each in data.bad:
        print(each)


def build(n, workers=2):
    data = Data(n)
    return data, DataLoader(data, num_workers=workers)


def main():
    data = Data()
    loader = DataLoader(data, num_workers=2)
    for _ in loader:
        pass
    print(len(data.bad))


if __name__ == "__main__":
    main()
"""
RUN = """\
    data = Data()
    loader = DataLoader(data, num_workers=2)
    for _ in loader:
        pass
    print(len(data.bad))
"""
INIT, ITEM = "self.bad = []\n", "self.bad.append(i)\n        return i\n"


def _is_lost(text: str) -> bool:
    return "LP207" in [code for _, code in marks(text)]


def _of_item(init: str, item: str, read: str) -> str:
    return changed(
        TEXT,
        (INIT, init.replace("\n", "\n        ") + "\n"),
        (ITEM, item.replace("\n", "\n        ") + "\n"),
        ("print(len(data.bad))\n\n\nif", f"print({read})\n\n\nif"),
        ("        return len(self.bad)\n", "        return 0\n"),
        ("        return len(self.bad) / self.n\n", "        return 0\n"),
    )


@pytest.mark.parametrize(
    ("init", "item", "read"),
    [
        ("self.bad = []", "self.bad.extend([i])\nreturn i", "data.bad"),
        ("self.count = 0", "self.count += 1\nreturn i", "data.count"),
        ("self.longest = 0", "self.longest = max(self.longest, i)\nreturn i", "data.longest"),
        ("self.seen = {}", "self.seen[i] = 2 * i\nreturn i", "len(data.seen)"),
        ("self.seen = set()", "self.seen.add(i)\nreturn i", "len(data.seen)"),
        ("self.seen = Counter()", "self.seen[i % 2] += 1\nreturn i", "data.seen.most_common(3)"),
        ("self.seen = defaultdict(list)", "self.seen[i % 2].append(i)\nreturn i", "len(data.seen)"),
        ("self.seen = {}", "self.seen.setdefault(i % 2, []).append(i)\nreturn i", "len(data.seen)"),
        (
            "self.seen = {}",
            "try:\n    self.seen[i] += 1\nexcept KeyError:\n    self.seen[i] = 1\nreturn i",
            "sum(data.seen.values())",
        ),
        ("self.hits = [0] * n", "self.hits[i] += 1\nreturn i", "sum(data.hits)"),
        ("self.hits = {'a': 0}", "self.hits['a'] += 1\nreturn i", "data.hits['a']"),
        ("self.hits = np.zeros(n)", "self.hits[i] += 1\nreturn i", "data.hits.sum()"),
        ("self.hits = np.zeros(n, dtype=bool)", "self.hits[i] = True\nreturn i", "data.hits.sum()"),
        ("self.stats = Stats()", "self.stats.add(i)\nreturn i", "data.stats.total"),
        ("self.error = None", "self.error = str(i)\nreturn i", "data.error"),
        ("self.failed = False", "if i > 2:\n    self.failed = True\nreturn i", "data.failed"),
        ("self.paths = list(range(8))", "if i == 3:\n    self.paths.remove(i)\nreturn i", "len(data.paths)"),
        ("self.cache = {}", "if i not in self.cache:\n    self.cache[i] = 2\nreturn self.cache[i]", "len(data.cache)"),
    ],
)
def test_ways_to_change_it(init: str, item: str, read: str) -> None:
    assert _is_lost(_of_item(init, item, read))


@pytest.mark.parametrize(
    ("init", "item", "read"),
    [
        # Each worker opens its own, and so does the main process if it wants one.
        ("self.file = None", "if self.file is None:\n    self.file = open(i)\nreturn self.file.read()", "data.file"),
        # What each process keeps to save time, asked for one item or for its size.
        (
            "self.cache = {}",
            "if i not in self.cache:\n    self.cache[i] = 2\nreturn self.cache[i]",
            "data.cache.get(1)",
        ),
        (
            "self.kept = [None] * n",
            "if self.kept[i] is None:\n    self.kept[i] = 2\nreturn self.kept[i]",
            "len(data.kept)",
        ),
        ("self.kept = np.zeros((n, 3))", "self.kept[i] = 2\nreturn self.kept[i]", "data.kept.shape"),
        ("self.names = ['b', 'a']", "self.names.sort()\nreturn self.names[0]", "len(data.names)"),
        # Shared, or perhaps shared: a tensor is, where the dataset is pickled.
        ("self.count = mp.Value('i', 0)", "self.count.value += 1\nreturn i", "data.count.value"),
        ("self.hits = torch.zeros(n).share_memory_()", "self.hits[i] += 1\nreturn i", "data.hits.sum()"),
        ("self.hits = torch.zeros(n)", "self.hits[i] += 1\nreturn i", "data.hits.sum()"),
        ("self.hits = [torch.zeros(1) for _ in range(n)]", "self.hits[i] += 1\nreturn i", "sum(data.hits)"),
        (
            "self.manager = mp.Manager()\nself.seen = self.manager.list()",
            "self.seen.append(i)\nreturn i",
            "len(data.seen)",
        ),
        (
            "self.seen = {}\nfor key in 'ab':\n    self.seen[key] = SHARED.list()",
            "self.seen['a'].append(i)\nreturn i",
            "len(data.seen['a'])",
        ),
        # Nothing but workers reads it.
        ("self.count = 0", "self.count += 1\nreturn i + self.count", "data.n"),
    ],
)
def test_what_workers_may_change(init: str, item: str, read: str) -> None:
    assert not _is_lost(_of_item(init, item, read))


def test_a_method_that_sets_up_what_each_worker_has() -> None:
    init, item = "self.ready = False", "if not self.ready:\n    self.set_up()\nreturn i"
    text = _of_item(init, item, "data.close()")
    methods = "    def set_up(self):\n        self.ready = True\n\n    def close(self):\n        return self.ready\n\n"
    assert not _is_lost(changed(text, ("    def report(self):\n", methods + "    def report(self):\n")))


@pytest.mark.parametrize(
    "main",
    [
        "data = Data()\nfor _ in DataLoader(data, num_workers=2):\n    pass\nprint(data.report())",
        "data = Data()\nfor _ in DataLoader(data, num_workers=2):\n    pass\nprint(data.share)",
        "loader = DataLoader(Data(), num_workers=2)\nfor _ in loader:\n    pass\nprint(loader.dataset.bad)",
        "data = Data()\nfor _ in DataLoader(data, num_workers=2):\n    pass\nwrite_report(data)",
        "data = Data()\ntrain(DataLoader(data, num_workers=2))\nprint(data.bad)",
        "data, loader = build(8)\nfor _ in loader:\n    pass\nprint(data.bad)",
        "data = Data()\nfor _ in DataLoader(Subset(data, range(4)), num_workers=2):\n    pass\nprint(data.bad)",
        "data = Stream()\nfor _ in DataLoader(data, num_workers=1):\n    pass\nprint(data.skipped)",
        # It is one item that the main process looks at.
        "data = Data()\nprint(data[0])\nfor _ in DataLoader(data, num_workers=2):\n    pass\nprint(data.bad)",
        # In the loop over the epochs, also in front of the loop over the batches.
        "data = Data()\nloader = DataLoader(data, num_workers=2)\nfor epoch in range(2):\n    print(len(data.bad))\n"
        "    for _ in loader:\n        pass",
        # Of another dataset, the main process takes the items.
        "data, other = Data(), Data()\nfor _ in DataLoader(data, num_workers=2):\n    pass\nfor i in range(8):\n"
        "    other[i]\nprint(data.bad)",
    ],
)
def test_ways_to_read_it(main: str) -> None:
    assert _is_lost(_with_main(main))


@pytest.mark.parametrize(
    "main",
    [
        # There are no workers.
        "data = Data()\nfor _ in DataLoader(data, num_workers=0):\n    pass\nprint(data.bad)",
        "data = Data()\nfor _ in DataLoader(data):\n    pass\nprint(data.bad)",
        "data, loader = build(8, 0)\nfor _ in loader:\n    pass\nprint(data.bad)",
        # It is read before workers start.
        "data = Data()\nprint(data.bad)\nfor _ in DataLoader(data, num_workers=2):\n    pass",
        "data = Data()\nloader = DataLoader(data, num_workers=2)\nprint(len(loader), len(data.bad))\ntrain(loader)",
        "loader = DataLoader(Data(), num_workers=2)\nprint(len(loader.dataset.bad))\nfor _ in loader:\n    pass",
        # Of another object.
        "data, other = Data(), Data()\ntrain(DataLoader(data, num_workers=2))\ntrain(DataLoader(other))\n"
        "print(other.bad)",
        # The main process takes the items, too.
        "data = Data()\ntrain(DataLoader(data, num_workers=2))\nfor i in range(8):\n    data[i]\nprint(data.bad)",
        "data = Data()\ntrain(DataLoader(data, num_workers=2))\ntrain(DataLoader(data))\nprint(data.bad)",
        "data = Data()\ntrain(DataLoader(data, num_workers=2))\ntrain(data)\nprint(data.bad)",
        "data = Stream()\ntrain(DataLoader(data, num_workers=2))\nlist(data)\nprint(data.skipped)",
        "data = Stream()\ntrain(DataLoader(data, num_workers=2))\nfor _ in data:\n    pass\nprint(data.skipped)",
        # It fills the list itself.
        "data = Data()\nfor item in DataLoader(data, num_workers=2):\n    data.bad.append(item)\nprint(data.bad)",
        # A sampler runs there.
        "sampler = Ordered(8)\ntrain(DataLoader(Data(), sampler=sampler, num_workers=2))\nprint(sampler.given)",
        "sampler = Ordered(8)\ntrain(DataLoader(Data(), batch_sampler=sampler, num_workers=2))\nprint(sampler.given)",
        # No code is there that reads it.
        "data = Data()\ntrain(DataLoader(data, num_workers=2))\nprint(data.n)",
    ],
)
def test_what_main_does_not_miss(main: str) -> None:
    assert not _is_lost(_with_main(main))


def _with_main(main: str) -> str:
    indented = "".join(f"    {line}\n" for line in main.split("\n"))
    return changed(TEXT, (RUN, indented))


def test_a_collate_function_that_counts() -> None:
    # Workers call it, so that it is a copy which counts.
    collate = "class Collate:\n    def __init__(self):\n        self.count = 0\n\n    def __call__(self, items):\n"
    collate += "        self.count += 1\n        return items\n\n\ndef train"
    main = "collate = Collate()\ntrain(DataLoader(Data(), num_workers=2, collate_fn=collate))\nprint(collate.count)"
    assert _is_lost(changed(_with_main(main), ("def train", collate)))


def test_a_loader_that_a_function_without_parameters_makes() -> None:
    text = changed(
        _with_main("data, loader = build()\ntrain(loader)\nprint(data.bad)"), ("build(n, workers=2)", "build()")
    )
    text = changed(text, ("Data(n)", "Data(8)"), ("num_workers=workers", "num_workers=2"))
    assert not _is_lost(text)  # gap: its callers are not asked for what they read.
