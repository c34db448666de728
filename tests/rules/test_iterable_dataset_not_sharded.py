"""LP404: iterable-dataset-not-sharded."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver
from tests.pages import PageTests
from tests.support import lint, marks

SETTINGS = """
import dataclasses
from dataclasses import asdict, dataclass
from typing import NamedTuple

from torch.utils.data import DataLoader, IterableDataset

@dataclass
class Loading:
    batch_size: int = 4
    num_workers: int = 2

class Options:
    def __init__(self, workers=2, **others):
        self.num_workers = workers

class AnyOptions:
    def __init__(self, **values):
        self.num_workers = 2
        for name, value in values.items():
            setattr(self, name, value)

class Row(NamedTuple):
    batch_size: int = 4
    num_workers: int = 2

class Lines(IterableDataset):
    def __init__(self, lines):
        self.lines = lines

    def __iter__(self):
        yield from self.lines
"""
STAGES = """
from itertools import chain

from torch.utils.data import DataLoader, IterableDataset, get_worker_info

class Stage:
    def __init__(self, upstream):
        self.upstream = upstream

    def apply(self, line):
        return line.strip()

    def __iter__(self):
        return {given}

class Sources:
    def __init__(self, sources):
        self.sources = sources

    def __iter__(self):
        for number, source in enumerate(self.sources):
            {each}

class Stream(IterableDataset):
    def __init__(self, stage):
        super().__init__()
        self.stage = stage

    def __iter__(self):
        yield from self.stage

def build(sources):
    return DataLoader(Stream(Stage(Sources(sources))), num_workers=2)
"""


class TestPage(PageTests):
    code = "LP404"


def codes(program: str) -> list[str]:
    return [code for _, code in marks(program)]


@pytest.mark.parametrize(
    "body",
    [
        "return DataLoader(Lines(lines), **vars(Loading()))",
        "loading = Loading()\n    return DataLoader(Lines(lines), **loading.__dict__)",
        "return DataLoader(Lines(lines), **vars(Options()))",
        "return DataLoader(Lines(lines), **asdict(Loading(num_workers=3)))",
        "return DataLoader(Lines(lines), **dataclasses.asdict(dataclasses.replace(Loading(), num_workers=3)))",
        "return DataLoader(Lines(lines), **Row(num_workers=4)._asdict())",
        "return DataLoader(Lines(lines), **dict(vars(Loading()), batch_size=2))",
    ],
)
def test_the_number_of_workers_may_be_an_attribute_of_settings(body: str) -> None:
    assert codes(f"{SETTINGS}\ndef build(lines):\n    {body}\n") == ["LP404"]


def test_settings_may_be_passed_to_the_function_that_makes_the_loader() -> None:
    build = "def build(lines, loading):\n    return DataLoader(Lines(lines), **vars(loading))\n"
    assert codes(f"{SETTINGS}\n{build}\nloader = build([], Loading())\n") == ["LP404"]
    assert codes(f"{SETTINGS}\n{build}\nloader = build([], Loading(num_workers=0))\n") == []


@pytest.mark.parametrize(
    "body",
    [
        "return DataLoader(Lines(lines), **vars(Loading(num_workers=0)))",
        "return DataLoader(Lines(lines), **vars(Options(1)))",
        "return DataLoader(Lines(lines), **asdict(Loading(num_workers=workers)))",
        "return DataLoader(Lines(lines), **Row(num_workers=1)._asdict())",
        "return DataLoader(Lines(lines), **dict(vars(Loading()), num_workers=0))",
        # What the caller names may be a `worker_init_fn`.
        "return DataLoader(Lines(lines), **vars(AnyOptions(**others)))",
        "loading = Loading()\n    loading.num_workers = 0\n    return DataLoader(Lines(lines), **vars(loading))",
        "loading = Loading()\n    if workers is None:\n        loading.num_workers = 0\n"
        "    return DataLoader(Lines(lines), **vars(loading))",
    ],
)
def test_other_settings_are_left_alone(body: str) -> None:
    assert codes(f"{SETTINGS}\ndef build(lines, workers, **others):\n    {body}\n") == []


@pytest.mark.parametrize("given", ["map(self.apply, iter(self.upstream))", "map(self.apply, self.upstream)"])
@pytest.mark.parametrize("each", ["yield from source", "yield source.read()"])
def test_stages_that_pass_everything_on_divide_nothing(given: str, each: str) -> None:
    assert codes(STAGES.replace("{given}", given).replace("{each}", each)) == ["LP404"]


@pytest.mark.parametrize(
    "given",
    ["filter(None, self.upstream)", "chain(self.upstream, ['end'])", "(self.apply(line) for line in self.upstream)"],
)
def test_a_stage_may_be_made_of_what_passes_on(given: str) -> None:
    assert codes(STAGES.replace("{given}", given).replace("{each}", "yield from source")) == ["LP404"]


@pytest.mark.parametrize(
    "each",
    [
        "info = get_worker_info()\n            if number % info.num_workers == info.id: yield from source",
        "if is_of_this_worker(number):\n                yield from source",
    ],
)
def test_a_stage_may_divide_the_items(each: str) -> None:
    assert codes(STAGES.replace("{given}", "map(self.apply, self.upstream)").replace("{each}", each)) == []


READING = """
import argparse
from itertools import islice

from torch.utils.data import DataLoader, IterableDataset

class Windows(IterableDataset):
    def __init__(self, lines, path, size=4, first=0, step=1):
        self.lines = lines
        self.path = path
        self.size = size
        self.first = first
        self.step = step

    def tokens(self):
        for line in self.lines:
            yield from line.split()

    def __iter__(self):
        {body}

def build(lines, path, first, step):
    return DataLoader(Windows(lines, path, first=first, step=step), num_workers=2)
"""


def reading(body: str) -> list[str]:
    return codes(READING.replace("{body}", body.replace("\n", "\n        ")))


@pytest.mark.parametrize(
    "body",
    [
        "stream = self.tokens()\nwhile len(block := list(islice(stream, self.size))) == self.size:\n    yield block",
        "stream = iter(self.lines)\nwhile block := tuple(islice(stream, self.size)):\n    yield block",
        "yield from islice(self.lines, self.size)",
        "lines = iter(self.lines)\nwhile True:\n    try:\n        line = next(lines)\n"
        "    except StopIteration:\n        return\n    yield line",
        "with open(self.path) as file:\n    while True:\n        line = file.readline()\n        if not line:\n"
        "            break\n        yield line",
        "stream = self.tokens()\nwhile True:\n    block = list(islice(stream, self.size))\n"
        "    if len(block) < self.size:\n        return\n    yield block",
        "stream = self.tokens()\nwhile True:\n    if not (block := list(islice(stream, self.size))):\n        break\n"
        "    yield block",
        "lines = iter(self.lines)\nwhile (line := next(lines, None)) is not None:\n    yield line",
        "yield from zip(self.lines, enumerate(self.lines))",
        "return zip(*[iter(self.lines)] * self.size)",
    ],
)
def test_all_is_read_in_parts(body: str) -> None:
    assert reading(body) == ["LP404"]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("yield from islice(self.lines, self.first, None, self.step)", id="each so many"),
        pytest.param("yield from islice(self.lines, *self.bounds())", id="bounds that are not seen"),
        pytest.param("while True:\n    yield from self.tokens()", id="for ever"),
        pytest.param(
            "while True:\n    for line in self.lines:\n        if not line:\n            break\n        yield line",
            id="for ever, and the inner loop is left",
        ),
        pytest.param(
            "lines = iter(self.lines)\nwhile True:\n    try:\n        yield next(lines)\n"
            "    except StopIteration:\n        lines = iter(self.lines)",
            id="from the start again",
        ),
    ],
)
def test_items_may_be_divided_or_come_for_ever(body: str) -> None:
    assert reading(body) == []


OPTIONS = """
def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, default={default})
    return parser.parse_args()
"""
LOADING = """
def main():
    args = options(){then}
    loader = DataLoader(Lines([]), num_workers=args.workers)
    print(len(list(loader)))

if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("default", "then", "found"),
    [
        ("2", "", ["LP404"]),
        ("4", "\n    if args.workers is None:\n        raise SystemExit", ["LP404"]),
        ("1", "", []),
        ("0", "", []),
        ("COUNT", "", []),
        ("2", "\n    args.workers = 0", []),
    ],
)
def test_the_number_of_workers_may_be_an_option(default: str, then: str, found: list[str]) -> None:
    head = SETTINGS.replace("import dataclasses", "import argparse, dataclasses")
    assert codes(head + OPTIONS.replace("{default}", default) + LOADING.replace("{then}", then)) == found


@pytest.mark.parametrize(
    ("own", "found"),
    [
        ("default=2", ["LP404"]),
        ("default=1", []),
        ("default=COUNT", []),
        ("required=True", []),
        (None, []),
    ],
)
def test_the_option_is_that_of_the_script_which_reads_it(own: str | None, found: list[str], tmp_path: Path) -> None:
    head = SETTINGS.replace("import dataclasses", "import argparse, dataclasses")
    options = OPTIONS.replace("default={default}", own) if own is not None else "\nfrom others import options\n"
    (tmp_path / "own.py").write_text(head + options + LOADING.replace("{then}", ""))
    for number in (4, 8):
        (tmp_path / f"other{number}.py").write_text("import argparse\n" + OPTIONS.replace("{default}", str(number)))
    outcome = lint_paths([str(tmp_path)], resolver=SettingsResolver(isolated=True))
    assert [each.code for each in outcome.diagnostics] == found


PLAN = """
import os
from dataclasses import dataclass

import torch
from torch.utils.data import DataLoader, IterableDataset, get_worker_info
from elsewhere import open_shard, part_of_worker

@dataclass
class ShardPlan:
    first: int
    step: int

    @classmethod
    def for_reader(cls):
        info = get_worker_info()
        return cls(0, 1) if info is None else cls(info.id, info.num_workers)

    def pick(self, shards):
        return shards[self.first::self.step]

def own_part():
    info = get_worker_info()
    return (0, 1) if info is None else (info.id, info.num_workers)

class ShardReader(IterableDataset):
    '''Streams the shards, divided between the workers by rank.'''

    def __init__(self, shards, rank=0):
        super().__init__()
        self.shards = sorted(shards)
        {make}

    def set_up(self):
        {set_up}

    def records(self, shard):
        for value in range(shard * 10, shard * 10 + 10):
            yield float(value)

    def __len__(self):
        return len(self.shards) * 10

    def __iter__(self):
        {each}
            yield from self.records(shard)

def build(shards):
    return DataLoader(ShardReader(shards), num_workers=2)
"""


def planned(make: str, each: str, set_up: str = "pass") -> list[str]:
    each = each.replace("\n", "\n        ")
    return codes(PLAN.replace("{make}", make).replace("{each}", each).replace("{set_up}", set_up))


@pytest.mark.parametrize(
    ("make", "each", "set_up"),
    [
        ("self.plan = ShardPlan.for_reader()", "for shard in self.plan.pick(self.shards):", "pass"),
        ("self.first, self.step = own_part()", "for shard in self.shards[self.first::self.step]:", "pass"),
        (
            "info = get_worker_info(); self.worker = info.id if info else 0",
            "for shard in self.shards[self.worker:]:",
            "pass",
        ),
        (
            "self.set_up()",
            "for shard in self.shards[self.first::self.step]:",
            "info = get_worker_info(); self.first, self.step = (info.id, info.num_workers) if info else (0, 1)",
        ),
        ("pass", "for shard in self.shards:", "pass"),
        ("self.num_shards = len(shards)", "for shard in self.shards[:self.num_shards]:", "pass"),
    ],
)
def test_what_is_asked_where_the_dataset_is_made_divides_nothing(make: str, each: str, set_up: str) -> None:
    assert planned(make, each, set_up) == ["LP404"]


def test_the_message_says_where_it_is_asked() -> None:
    early = PLAN.replace("{make}", "self.plan = ShardPlan.for_reader()").replace("{set_up}", "pass")
    source = early.replace("{each}", "for shard in self.plan.pick(self.shards):")
    (found,) = lint(source).diagnostics
    assert "`get_worker_info()` is asked where the dataset is made, and is None there" in found.message
    assert any("where it is None" in step.message for step in found.trail)


@pytest.mark.parametrize(
    ("make", "each", "set_up"),
    [
        ("pass", "plan = ShardPlan.for_reader()\nfor shard in plan.pick(self.shards):", "pass"),
        ("pass", "first, step = own_part()\nfor shard in self.shards[first::step]:", "pass"),
        (
            "pass",
            "info = torch.utils.data.get_worker_info()\nfor shard in self.shards[info.id::info.num_workers]:",
            "pass",
        ),
        ("pass", "for shard in part_of_worker(self.shards):", "pass"),
        ("pass", "for shard in open_shard(self.shards):", "pass"),
        ("pass", "for shard in self.shards[int(os.environ['WORKER_ID'])::2]:", "pass"),
        ("pass", "for shard in self.shards[os.getpid() % 2::2]:", "pass"),
        # It is asked twice: in the main process too.
        (
            "self.plan = ShardPlan.for_reader()",
            "self.plan = ShardPlan.for_reader()\nfor shard in self.plan.pick(self.shards):",
            "pass",
        ),
        (
            "self.first, self.step = 0, 1",
            "self.set_up()\nfor shard in self.shards[self.first::self.step]:",
            "info = get_worker_info(); self.first, self.step = (info.id, info.num_workers) if info else (0, 1)",
        ),
        # Somebody may call it in a worker.
        (
            "self.first, self.step = 0, 1",
            "for shard in self.shards[self.first::self.step]:",
            "info = get_worker_info(); self.first, self.step = (info.id, info.num_workers) if info else (0, 1)",
        ),
    ],
)
def test_what_is_asked_in_a_worker_may_divide_the_items(make: str, each: str, set_up: str) -> None:
    assert planned(make, each, set_up) == []


UNREAD = """
from torch.utils.data import DataLoader, IterableDataset
from elsewhere import backend
import csv
import random
import numpy as np
import torch

class Reader(IterableDataset):
    '''{says}'''

    def __init__(self, paths, first=0, world_size=1):
        self.paths = paths
        self.first = first
        self.world_size = world_size

    def __iter__(self):
        {body}

def build(paths, first, world_size):
    return DataLoader(Reader(paths, first, world_size), num_workers=2)
"""
_EACH_SHARD = "Reads the shards of a worker."


def unread(body: str, says: str = _EACH_SHARD) -> list[str]:
    return codes(UNREAD.replace("{says}", says).replace("{body}", body.replace("\n", "\n        ")))


@pytest.mark.parametrize(
    "body",
    [
        "for row in backend.read(self.paths):\n    yield row",
        "yield from backend.read(self.paths)",
        "return iter(backend.read(self.paths))",
        "return backend.read(self.paths)",
        "rows = backend.read(self.paths)\nfor number, row in enumerate(rows):\n    yield number, row",
        "order = torch.Generator().manual_seed(torch.utils.data.get_worker_info().id)\n"
        "for at in torch.randperm(len(self.paths), generator=order)[: self.first]:\n    yield self.paths[at]",
        "for at in torch.randperm(len(self.paths), generator=backend.generator()).tolist():\n    yield self.paths[at]",
        "for path in backend.Order(self.first).sample(self.paths):\n    yield path",
    ],
)
def test_what_is_not_read_may_divide_what_is_called_shards(body: str) -> None:
    assert unread(body) == []


@pytest.mark.parametrize(
    "body",
    [
        "for path in self.paths:\n    for row in csv.reader(open(path)):\n        yield row",
        "for path in sorted(self.paths):\n    yield backend.parse(path)",
        "yield from self.paths[self.first::self.world_size]",
        "order = torch.Generator().manual_seed(self.first)\n"
        "for at in torch.randperm(len(self.paths), generator=order):\n    yield self.paths[at]",
        "for at in np.random.default_rng(self.first).permutation(len(self.paths)):\n    yield self.paths[at]",
        "for path in random.Random(self.first).sample(self.paths, len(self.paths)):\n    yield path",
        "order = torch.Generator().manual_seed(self.first)\n"
        "for at in torch.randperm(len(self.paths), generator=order).tolist():\n    yield self.paths[at]",
        "for at in np.random.permutation(len(self.paths)).tolist():\n    yield self.paths[at]",
    ],
)
def test_what_is_read_divides_nothing_whatever_it_is_called(body: str) -> None:
    assert unread(body) == ["LP404"]


OVERRIDDEN = """
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

class Shelves(IterableDataset):
    def __init__(self, shelves):
        self.shelves = shelves

    def own_shelves(self):
        info = get_worker_info()
        if info is None:
            return self.shelves
        return self.shelves[info.id :: info.num_workers]

    def books(self, shelf):
        return shelf

    def __iter__(self):
        for shelf in self.own_shelves():
            yield from self.books(shelf)

class Pages(Shelves):
    {body}

def build(shelves):
    return DataLoader(Pages(shelves), num_workers=2)
"""
EVERYTHING = "for shelf in self.shelves:\n    yield from self.books(shelf)"


def _own(*methods: str) -> list[str]:
    body = "\n".join(methods).replace("\n", "\n    ")
    return [each.code for each in lint(OVERRIDDEN.format(body=body)).diagnostics]


def _method(name: str, body: str, parameters: str = "self") -> str:
    return f"def {name}({parameters}):\n    " + body.replace("\n", "\n    ")


@pytest.mark.parametrize(
    "methods",
    [
        (_method("__iter__", EVERYTHING),),
        (_method("__iter__", "return iter(self.shelves)"),),
        (_method("__iter__", "yield from self.pages()"), _method("pages", EVERYTHING)),
        (_method("own_shelves", "return self.shelves"),),
        (_method("__iter__", EVERYTHING), _method("books", "return sorted(shelf)", "self, shelf")),
        (_method("__init__", "super().__init__(shelves)", "self, shelves"), _method("__iter__", EVERYTHING)),
    ],
)
def test_what_divides_the_items_is_overridden(methods: tuple[str, ...]) -> None:
    assert _own(*methods) == ["LP404"]


@pytest.mark.parametrize(
    "methods",
    [
        ("pass",),
        (_method("books", "return sorted(shelf)", "self, shelf"),),
        (_method("__iter__", "for shelf in self.own_shelves():\n    yield shelf"),),
        (_method("__iter__", "for book in super().__iter__():\n    yield book"),),
        (_method("__iter__", "for book in Shelves.__iter__(self):\n    yield book"),),
        (_method("__iter__", "yield from self.pages()"), _method("pages", "yield from self.own_shelves()")),
        (_method("own_shelves", "return super().own_shelves()[:3]"),),
        (_method("__iter__", "for shelf in getattr(self, 'own_shelves')():\n    yield shelf"),),
        (_method("__iter__", "for shelf in getattr(self, self.way)():\n    yield shelf"),),
        (
            _method("start", "self.shelves = self.own_shelves()"),
            _method("__iter__", EVERYTHING),
        ),
    ],
)
def test_what_divides_the_items_may_be_called(methods: tuple[str, ...]) -> None:
    assert _own(*methods) == []


CHOSEN = """
from torch.utils.data import DataLoader, Dataset, IterableDataset, get_worker_info

class Plain(IterableDataset):
    def __init__(self, rows):
        self.rows = rows

    def own(self):
        info = get_worker_info()
        return self.rows if info is None else self.rows[info.id :: info.num_workers]

    def __iter__(self):
        yield from self.own()

class Sorted(Plain):
    def __iter__(self):
        yield from sorted(self.own())

class Backwards(Plain):
    def __iter__(self):
        yield from reversed(self.rows)

class Indexed(Dataset):
    def __init__(self, rows):
        self.rows = rows

def build(rows, name, option):
    return DataLoader({dataset}, num_workers=2)
"""


@pytest.mark.parametrize(
    ("dataset", "found"),
    [
        ("{'plain': Plain, 'backwards': Backwards}[name](rows)", ["Backwards"]),
        ("(Plain if option else Backwards)(rows)", ["Backwards"]),
        ("Backwards(rows) if option else Sorted(rows)", ["Backwards"]),
        ("{'plain': Plain, 'sorted': Sorted}[name](rows)", []),
        ("Plain(rows) if option else Sorted(rows)", []),
        ("Backwards(rows) if option else Indexed(rows)", []),
        ("Backwards(rows) if option else name", []),
    ],
)
def test_each_dataset_that_may_be_loaded_is_looked_at_alone(dataset: str, found: list[str]) -> None:
    said = [each.message for each in lint(CHOSEN.replace("{dataset}", dataset)).diagnostics if each.code == "LP404"]
    assert [name for name in ("Plain", "Sorted", "Backwards") for each in said if f"`{name}`" in each] == found
