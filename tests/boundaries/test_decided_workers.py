"""Numbers of workers that settings of an object decide: `0 if self.settings.debug else self.settings.workers`."""

from __future__ import annotations

from textwrap import indent

import pytest

from tests.rules.worker_functions import codes

_MODULE = """
from dataclasses import dataclass


@dataclass{options}
class Settings:
    debug: bool = True
    workers: int = 4


class Data:
    def __init__(self, settings):
        self.settings = settings
        self.chosen = 0 if settings.debug else settings.workers

    @property
    def workers(self):
        return 0 if self.settings.debug else self.settings.workers

    @property
    def other_workers(self):
        if self.settings.debug:
            return 0
        return self.settings.workers

    def count(self):
        return self.settings.workers if not self.settings.debug else 0

    def loader(self):
        number = 0 if self.settings.debug else self.settings.workers
        return DataLoader([1, 2], collate_fn=lambda items: items, num_workers={workers})


def quicken(settings):
    settings.debug = False


def main():
{main}


if __name__ == "__main__":
    main()
"""
_WAYS = [
    *("self.chosen", "self.workers", "self.other_workers", "self.count()", "number"),
    "0 if self.settings.debug else self.settings.workers",
]


def _found(workers: str, *rows: str, options: str = "") -> list[str]:
    main = indent("\n".join(rows), "    ")
    return codes(_MODULE.format(options=options, workers=workers, main=main))


@pytest.mark.parametrize("workers", _WAYS)
@pytest.mark.parametrize("options", ["", "(frozen=True)"])
def test_settings_that_ask_for_no_workers(workers: str, options: str) -> None:
    assert _found(workers, "for item in Data(Settings()).loader():", "    print(item)", options=options) == []
    assert _found(workers, "data = Data(Settings(debug=True, workers=2))", "print(list(data.loader()))") == []


@pytest.mark.parametrize("workers", _WAYS)
def test_settings_that_ask_for_workers(workers: str) -> None:
    assert _found(workers, "for item in Data(Settings(debug=False)).loader():", "    print(item)") == ["LP201"]
    assert _found(workers, "data = Data(Settings(debug=bool(input())))", "print(list(data.loader()))") == ["LP201"]


@pytest.mark.parametrize("workers", _WAYS)
def test_settings_that_are_changed_before(workers: str) -> None:
    changed = ("settings = Settings()", "settings.debug = False", "print(list(Data(settings).loader()))")
    assert _found(workers, *changed) == ["LP201"]
    elsewhere = ("settings = Settings()", "quicken(settings)", "print(list(Data(settings).loader()))")
    assert _found(workers, *elsewhere) == ["LP201"]
