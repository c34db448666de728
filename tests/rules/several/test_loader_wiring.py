"""The rules about DataLoader arguments and samplers: what they must find and what they must leave alone."""

from __future__ import annotations

import pytest

from tests.rules.loader_wiring import IMPORTS
from tests.support import marks


def codes(body: str) -> list[str]:
    """The codes of what is found in a function with these lines."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return [code for _, code in marks(f"{IMPORTS}def build(dataset, distributed, workers, settings):\n{lines}")]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("return DataLoader(dataset, 1, False, Packed())", "LP401"),
        ("return DataLoader(dataset, sampler=Packed(), collate_fn=several)", "LP401"),
        (
            "batches = BatchSampler(RandomSampler(dataset), 4, True)\nreturn DataLoader(dataset, sampler=batches)",
            "LP401",
        ),
        ("return DataLoader(dataset, shuffle=True, sampler=RandomSampler(dataset), **settings)", "LP402"),
        ("return DataLoader(dataset, 2, True, RandomSampler(dataset))", "LP402"),
        ("return DataLoader(dataset, batch_sampler=Packed(), sampler=RandomSampler(dataset))", "LP402"),
        ("return DataLoader(dataset, batch_sampler=Packed(), drop_last=True)", "LP402"),
        ("return DataLoader(dataset, batch_sampler=Packed(), batch_size=None)", "LP402"),
        ("workers = 0\nreturn DataLoader(dataset, num_workers=workers, persistent_workers=True)", "LP403"),
        ("return DataLoader(dataset, prefetch_factor=4)", "LP403"),
        ("return DataLoader(Numbers(), num_workers=2)", "LP404"),
        ("return DataLoader(Numbers(), batch_sampler=Packed())", "LP405"),
        ("more = {'num_workers': 2}\nreturn DataLoader(Numbers(), **more)", "LP404"),
        ("more = {'num_workers': 0}\nreturn DataLoader(dataset, persistent_workers=True, **more)", "LP403"),
        ("return DataLoader(dataset, batch_sampler=iter([[0, 1], [2, 3]]))", "LP410"),
    ],
)
def test_wrong_wiring_is_found(body: str, code: str) -> None:
    assert codes(body) == [code]


@pytest.mark.parametrize(
    "body",
    [
        # A list may be a compound index, and a collate function may take the only element apart.
        "return DataLoader(dataset, sampler=Pairs())",
        "return DataLoader(dataset, sampler=Packed(), collate_fn=first)",
        "return DataLoader(dataset, sampler=Packed(), batch_size=None)",
        "return DataLoader(dataset, batch_sampler=Packed())",
        # The accepted combinations.
        "return DataLoader(dataset, sampler=None, shuffle=True)",
        "return DataLoader(dataset, sampler=RandomSampler(dataset), shuffle=False)",
        "return DataLoader(dataset, batch_sampler=Packed(), batch_size=1, shuffle=False, drop_last=False)",
        "return DataLoader(dataset, batch_size=None, shuffle=True)",
        # A comparison is no literal.
        "sampler = DistributedSampler(dataset) if distributed else None\n"
        "return DataLoader(dataset, sampler=sampler, shuffle=sampler is None)",
        # A condition may be about just that.
        "sampler = DistributedSampler(dataset) if distributed else None\n"
        "if sampler is None:\n"
        "    return DataLoader(dataset, sampler=sampler, shuffle=True)",
        # What is put into settings on one way is not there on the other.
        "if distributed:\n"
        "    settings = {'sampler': RandomSampler(dataset)}\n"
        "else:\n"
        "    settings = {'shuffle': True}\n"
        "return DataLoader(dataset, **settings)",
        "more = {'num_workers': 2}\nif distributed:\n    more['num_workers'] = 0\nreturn DataLoader(Numbers(), **more)",
        "more = {'num_workers': 2}\nif distributed:\n    more.pop('num_workers')\nreturn DataLoader(Numbers(), **more)",
        "more = {'num_workers': 2}\nmore.update(num_workers=0)\nreturn DataLoader(Numbers(), **more)",
        "more = {'num_workers': 2} if distributed else {}\nreturn DataLoader(Numbers(), **more)",
        "return DataLoader(dataset, num_workers=workers, persistent_workers=True)",
        "return DataLoader(dataset, num_workers=workers, persistent_workers=workers > 0)",
        "return DataLoader(dataset, persistent_workers=True, **settings)",
        "return DataLoader(Numbers(), num_workers=workers)",
        "return DataLoader(Numbers(), shuffle=False, drop_last=True)",
        "return DataLoader(dataset, sampler=[0, 2, 1])",
    ],
)
def test_right_wiring_is_left_alone(body: str) -> None:
    assert codes(body) == []
