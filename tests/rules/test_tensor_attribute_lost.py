"""LP617: tensor-attribute-lost."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import lint


class TestPage(PageTests):
    code = "LP617"


_LOADED = """\
import torch
from torch.utils.data import DataLoader, Dataset


class Box:
    pass


def brighten(tile):
    return torch.clamp(tile * 1.5, max=1.0)


def show(tile):
    {shows}


class Tiles(Dataset):
    def __init__(self, image, change=brighten):
        self.image = image
        self.change = change

    def __len__(self):
        return 4

    def __getitem__(self, index):
        {tile}
        {sets}
        return {returned}


def together(tiles):
    return tiles


def main(image):
    loader = DataLoader(Tiles(image), {options})
    for tile in loader:
        {reads}
        show(tile)


if __name__ == "__main__":
    main(torch.rand(4, 4))
"""
_TILE, _SETS, _RETURNED = "tile = torch.zeros(3)", "tile.corner = index", "tile"
_OPTIONS, _READS, _SHOWS = "batch_size=None, num_workers=2", "print(tile.corner)", "print(tile.shape)"
_ROW = 27


def _found(
    tile: str = _TILE,
    sets: str = _SETS,
    returned: str = _RETURNED,
    options: str = _OPTIONS,
    reads: str = _READS,
    shows: str = _SHOWS,
) -> list[int]:
    text = _LOADED.format(tile=tile, sets=sets, returned=returned, options=options, reads=reads, shows=shows)
    return [each.location.start.row for each in lint(text).diagnostics if each.code == "LP617"]


@pytest.mark.parametrize(
    "tile",
    [
        _TILE,
        "tile = torch.stack([self.image[index], self.image[0]])",
        "tile = torch.nn.functional.normalize(self.image[index])",
        "tile = torch.arange(9).reshape(3, 3).float()",
        "tile = torch.rand(4, 4)[index]",
        "tile = torch.rand(4) + 1",
        "tile = self.change(self.image[index])",
        "tile = brighten(self.image[index])",
        "tile = self.image[index].clone(); tile = self.change(tile) if index else tile",
    ],
)
def test_what_is_a_tensor(tile: str) -> None:
    assert _found(tile=tile) == [_ROW]


@pytest.mark.parametrize(
    "tile",
    [
        "tile = Box()",
        "tile = self.image[index]",
        "tile = made(index)",
        "tile = torch.load('tile.pt')",
        "tile = torch.rand(4).numpy()",
        "tile = torch.nn.Linear(2, 2)",
        "tile = torch.device('cpu')",
    ],
)
def test_what_may_be_something_else(tile: str) -> None:
    assert _found(tile=tile) == []


@pytest.mark.parametrize(
    ("sets", "returned", "is_lost"),
    [
        (_SETS, _RETURNED, True),
        (_SETS, "tile, index", True),
        (_SETS, "{'tile': tile, 'index': index}", True),
        (_SETS, "[tile]", True),
        ("pass", _RETURNED, False),
        (_SETS, "tile.clone()", False),
        (_SETS, "tile.sum().item()", False),
        (_SETS, "index", False),
        ("tile.requires_grad = False", _RETURNED, False),
        ("self.corner = index", _RETURNED, False),
        ("tile[0] = index", _RETURNED, False),
    ],
)
def test_what_is_set_and_returned(sets: str, returned: str, is_lost: bool) -> None:
    assert _found(sets=sets, returned=returned) == [_ROW] * is_lost


@pytest.mark.parametrize(
    ("options", "is_lost"),
    [
        (_OPTIONS, True),
        ("collate_fn=together, num_workers=2", True),
        ("batch_size=None, num_workers=2, multiprocessing_context='fork'", True),
        ("batch_size=None", False),
        ("batch_size=None, num_workers=0", False),
        ("batch_size=4, num_workers=2", False),
        ("num_workers=2", False),
    ],
)
def test_what_the_loader_does(options: str, is_lost: bool) -> None:
    assert _found(options=options) == [_ROW] * is_lost


@pytest.mark.parametrize(
    ("reads", "shows", "is_lost"),
    [
        (_READS, _SHOWS, True),
        ("y = getattr(tile, 'corner', 0)", _SHOWS, True),
        ("print(hasattr(tile, 'corner'))", _SHOWS, True),
        ("pass", "print(tile.corner)", True),
        ("pass", _SHOWS, False),
        ("tile.corner = 1", _SHOWS, False),
        ("print(tile.corner())", _SHOWS, False),
        ("print(tile.corners)", _SHOWS, False),
    ],
)
def test_what_the_main_process_reads(reads: str, shows: str, is_lost: bool) -> None:
    assert _found(reads=reads, shows=shows) == [_ROW] * is_lost


_POOLED = """\
import multiprocessing as mp
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import torch


def score(number):
    scores = torch.zeros(3)
    scores.unit = "mm"
    return scores


def main():
    with {pool} as pool:
        for scores in pool.map(score, range(4)):
            print(scores.unit)


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("pool", "is_lost"),
    [
        ("mp.Pool(2)", True),
        ("mp.get_context('fork').Pool(2)", True),
        ("ProcessPoolExecutor(2)", True),
        ("ThreadPoolExecutor(2)", False),
        ("mp.pool.ThreadPool(2)", False),
        ("opened(2)", False),
    ],
)
def test_the_results_of_a_pool(pool: str, is_lost: bool) -> None:
    found = lint(_POOLED.format(pool=pool)).diagnostics
    assert [each.location.start.row for each in found if each.code == "LP617"] == [9] * is_lost


_SENT = """\
import multiprocessing as mp

import torch
from torch import nn


def tagged(parameter):
    parameter.decay = 0.0
    return parameter


def made():
    weight = torch.zeros(3)
    weight.decay = 0.0
    return weight


class Box:
    pass


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        {sets}


def groups(head):
    {asks}


def train(head):
    {begins}
    groups(head)


def main():
    head = Head()
    {starts}


if __name__ == "__main__":
    main()
"""
_KEEPS = "self.scale = tagged(nn.Parameter(torch.ones(3)))"
_ASKS = "return [getattr(each, 'decay', 0.5) for each in head.parameters()]"
_STARTS = "mp.get_context('spawn').Process(target=train, args=(head,)).start()"


def _sent(sets: str = _KEEPS, asks: str = _ASKS, begins: str = "print(1)", starts: str = _STARTS) -> list[str]:
    text = _SENT.format(sets=sets, asks=asks, begins=begins, starts=starts)
    return [each.code for each in lint(text).diagnostics if each.code == "LP617"]


@pytest.mark.parametrize(
    "sets",
    [
        _KEEPS,
        "self.scale = nn.Parameter(torch.ones(3)); self.scale.decay = 0.0",
        "scale = nn.Parameter(torch.ones(3)); scale.decay = 0.0; self.scale = scale",
        "self.scale = tagged(torch.ones(3))",
        "self.scale = made()",
    ],
)
def test_set_on_a_tensor_that_workers_are_sent(sets: str) -> None:
    assert _sent(sets) == ["LP617"]


@pytest.mark.parametrize(
    "sets",
    [
        "self.scale = nn.Parameter(torch.ones(3))",
        "self.scale = tagged(Box())",
        "self.scale = nn.Parameter(torch.ones(3)); self.decay = 0.0",
        "self.scale = nn.Parameter(torch.ones(3)); self.scale.requires_grad = False",
        "self.scale = nn.Parameter(torch.ones(3)); self.scale.other = 0.0",
        "self.scale = nn.Parameter(torch.ones(3)); self.box = Box(); self.box.decay = 0.0",
    ],
)
def test_set_on_nothing_that_loses_it(sets: str) -> None:
    assert _sent(sets) == []


@pytest.mark.parametrize(
    ("starts", "codes"),
    [
        ("mp.Process(target=train, args=([head],)).start()", ["LP617"]),
        ("mp.get_context('spawn').Pool(2).map(train, [head])", ["LP617"]),
        ("mp.get_context('fork').Process(target=train, args=(head,)).start()", []),
        ("train(head)", []),
        ("mp.get_context('spawn').Process(target=train, args=(head.state_dict(),)).start()", []),
    ],
)
def test_how_workers_get_it(starts: str, codes: list[str]) -> None:
    assert _sent(starts=starts) == codes


def test_spawn_of_torch() -> None:
    text = _SENT.format(sets=_KEEPS, asks=_ASKS, begins="print(1)", starts="mp.spawn(train, args=(head,))")
    text = text.replace("import multiprocessing as mp", "import torch.multiprocessing as mp")
    text = text.replace("def train(head)", "def train(rank, head)")
    assert [each.code for each in lint(text).diagnostics] == ["LP617"]


def test_workers_that_set_it_themselves() -> None:
    assert _sent(begins="tagged(head.scale)") == []


@pytest.mark.parametrize("asks", ["return [*head.parameters()]", "return getattr(head, 'decays', 0.5)"])
def test_workers_that_do_not_ask(asks: str) -> None:
    assert _sent(asks=asks) == []


@pytest.mark.parametrize("made", ["Box()"])
def test_asked_of_another_object(made: str) -> None:
    starts = f"box = {made}; mp.get_context('spawn').Process(target=train, args=(head, box)).start()"
    text = _SENT.format(sets=_KEEPS, asks=_ASKS, begins="print(1)", starts=starts)
    text = "import argparse\n" + text.replace("def train(head)", "def train(head, box)")
    asking = text.replace("    groups(head)\n", "    print(getattr(box, 'decay', 0.5))\n")
    assert [each.code for each in lint(text).diagnostics if each.code == "LP617"] == ["LP617"]
    assert [each.code for each in lint(asking).diagnostics if each.code == "LP617"] == []
