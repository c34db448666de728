"""LP402: conflicting-loader-arguments."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.loader_wiring import IMPORTS
from tests.support import lint, marks


class TestPage(PageTests):
    code = "LP402"


def test_shuffling_beside_a_sampler_that_may_be_none_is_only_likely() -> None:
    found = lint(
        f"{IMPORTS}def build(dataset, distributed):\n"
        "    sampler = DistributedSampler(dataset) if distributed else None\n"
        "    return DataLoader(dataset, sampler=sampler, shuffle=True)\n"
    ).diagnostics
    assert [(each.code, each.confidence.value) for each in found] == [("LP402", "likely")]


@pytest.mark.parametrize(
    ("arguments", "is_found"),
    [
        ("batch_sampler=Packed(), shuffle=True", True),
        ("batch_sampler=Packed(), batch_size=4", True),
        ("batch_sampler=Packed(), drop_last=True", True),
        ("batch_sampler=Packed(), shuffle=False, drop_last=False, batch_size=1", False),
    ],
)
def test_what_a_batch_sampler_leaves_nothing_to_say_about(arguments: str, is_found: bool) -> None:
    found = marks(f"{IMPORTS}def build(dataset):\n    return DataLoader(dataset, {arguments})\n")
    assert ("LP402" in {code for _, code in found}) == is_found


@pytest.mark.parametrize(
    ("size", "fires"),
    [
        ("None", True),
        ("getattr(args, 'size', None)", False),
        ("{key: getattr(args, key, None) for key in ('size', 'depth')}['size']", False),
    ],
)
def test_a_default_of_getattr_is_one_of_two_values(size: str, fires: bool) -> None:
    text = (
        "import argparse\nfrom torch.utils.data import DataLoader\n\n\ndef main(parser: argparse.ArgumentParser):\n"
        f"    args = parser.parse_args()\n    return DataLoader([1, 2], batch_size={size}, drop_last=True)\n"
    )
    assert ("LP402" in [each.code for each in lint(text).diagnostics]) is fires


CONFIGURED = """\
from torch.utils.data import DataLoader


class Config:
    def __init__(self):
        self.size = {first}
        self.parse()

    def parse(self):
        for name, value in load_options():
            setattr(self, name, value)


class Loader(DataLoader):
    @classmethod
    def made(cls, dataset, size=None, kept=3):
        return cls(dataset, batch_size=size, drop_last=True)


def main():
    config = Config()
    return Loader.made([1, 2]{given})
"""


@pytest.mark.parametrize(
    ("first", "given", "fires"),
    [
        ("None", ", config.size", False),
        ("4", ", config.size", False),
        ("None", ", kept=2", True),
        ("None", ", size=None", True),
        ("None", ", size=2", False),
    ],
)
def test_an_attribute_that_is_none_at_first(first: str, given: str, fires: bool) -> None:
    found = lint(CONFIGURED.format(first=first, given=given)).diagnostics
    assert ("LP402" in [each.code for each in found]) is fires


WRAPPED = f"""\
{IMPORTS}def build(dataset, shuffle=False, distributed=False):
    if distributed:
        sampler = DistributedSampler(dataset, shuffle=shuffle)
    else:
        sampler = None
    return DataLoader(dataset, sampler=sampler, shuffle=shuffle)


def main(dataset, distributed):
    build(dataset, shuffle=False, distributed=True)
"""


@pytest.mark.parametrize(
    ("call", "is_found"),
    [
        ("build(dataset, shuffle=True)", False),
        ("build(dataset, shuffle=True, distributed=False)", False),
        ("build(dataset, distributed=distributed)", False),
        ("build(dataset, shuffle=True, distributed=True)", True),
        ("build(dataset, shuffle=True, distributed=distributed)", True),
    ],
)
def test_arguments_belong_to_the_call_that_gives_them(call: str, is_found: bool) -> None:
    assert ("LP402" in {code for _, code in marks(f"{WRAPPED}    {call}\n")}) is is_found


CHOSEN = f"""\
{IMPORTS}import argparse


def make_full(dataset, size):
    return DataLoader(dataset, batch_size=size, drop_last=True)


def make(name, dataset, size):
    if name == "full":
        return make_full(dataset, size)
    elif name == "tuned":
        return DataLoader(dataset, batch_size=size)


def main(dataset, name):
    make(name, dataset, None)


parser = argparse.ArgumentParser()
parser.add_argument("--name"{{of}})

if __name__ == "__main__":
    args = parser.parse_args()
    main([1, 2, 3], {{name}})
"""


@pytest.mark.parametrize(
    ("of", "name", "others", "found"),
    [
        pytest.param("", "args.name", [], ["likely"], id="anything"),
        pytest.param("", "'full'", [], ["certain"], id="this one"),
        pytest.param("", "'tuned'", [], [], id="another one"),
        pytest.param(", choices=['tuned', 'other'], default='tuned'", "args.name", [], [], id="choices without it"),
        pytest.param(", choices=('tuned', 'other'), required=True", "args.name", [], [], id="required choices"),
        pytest.param(", choices=['tuned', 'full']", "args.name", [], ["likely"], id="choices with it"),
        pytest.param(", choices=['tuned'], default='full'", "args.name", [], ["likely"], id="a default beside them"),
        pytest.param(", choices=['full'], required=True", "args.name", [], ["certain"], id="no other choice"),
        pytest.param(", choices=['full'], nargs='*'", "args.name", [], ["likely"], id="several of them"),
        pytest.param("", "args.name", ["make(args.name, [1, 2], 16)"], ["possible"], id="others give a size"),
        pytest.param("", "'full'", ["make('full', [1, 2], 16)"], ["certain"], id="others give a size, too"),
    ],
)
def test_a_branch_that_is_chosen_by_another_argument(of: str, name: str, others: list[str], found: list[str]) -> None:
    code = CHOSEN.format(of=of, name=name) + "".join(f"    {each}\n" for each in others)
    all_found = lint(code, pedantic=True).diagnostics
    assert [each.confidence.value for each in all_found if each.code == "LP402"] == found
