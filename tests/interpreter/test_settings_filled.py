"""Attributes with a constant for a default, which a store under names that are not known may fill."""

from __future__ import annotations

import pytest

from tests.support import marks

_SETTINGS = """\
import argparse

from torch.utils.data import DataLoader


class Settings:
    def __init__(self, **given):
        {first}
        parser = argparse.ArgumentParser()
        {second}


def load(data, settings):
    return DataLoader(data, num_workers=settings.workers, collate_fn=lambda rows: rows)


def main(data):
    settings = Settings()
    for batch in load(data, settings):
        print(batch)
"""
_DEFAULT = "self.workers = {}"


def _codes(first: str, second: str) -> list[str]:
    return [code for _, code in marks(_SETTINGS.format(first=first, second=second))]


@pytest.mark.parametrize("default", ["None", "0"])
@pytest.mark.parametrize(
    "filling",
    [
        pytest.param("self.__dict__.update(vars(parser.parse_args()))", id="the dict of the object"),
        pytest.param("vars(self).update(vars(parser.parse_args()))", id="vars"),
        pytest.param(
            "for name, value in vars(parser.parse_args()).items():\n            setattr(self, name, value)",
            id="one by one",
        ),
    ],
)
def test_options_replace_the_default(default: str, filling: str) -> None:
    assert _codes(_DEFAULT.format(default), filling) == ["LP201"]


@pytest.mark.parametrize("default", ["None", "0"])
@pytest.mark.parametrize(
    "filling",
    [
        pytest.param("self.parser = parser", id="nothing else is stored"),
        pytest.param("self.__dict__.update(parser=parser)", id="another name"),
        pytest.param("self.options.update(vars(parser.parse_args()))", id="the dict of an attribute"),
    ],
)
def test_the_default_stays(default: str, filling: str) -> None:
    assert _codes(f"self.options = {{}}; {_DEFAULT.format(default)}", filling) == []


def test_a_flag_stays() -> None:
    text = _SETTINGS.format(first="self.workers = False", second="self.__dict__.update(vars(parser.parse_args()))")
    assert [code for _, code in marks(text)] == []


def test_what_is_stored_last_stays() -> None:
    assert _codes("self.__dict__.update(given)", _DEFAULT.format(0)) == []
