"""What workers may run because their code gives it to a function that is not read."""

from __future__ import annotations

import pytest

from tests.support import marks

WINDOWS = """\
import atexit
import functools
import multiprocessing
import win32gui


class Screen:
    offset = 0

    @classmethod
    def set_up(cls, offset):
        Screen.offset = offset


SCALES = []


def fill(scale):
    SCALES.append(scale)


def keep(function, nothing):
    print(function)


def run_each(function):
    win32gui.EnumWindows(function, None)


class Game:
    def __init__(self, library):
        {gives}
        print({read})

    def found(self, handle, nothing):
        Screen.set_up(handle)
        fill(handle)


def main():
    Screen.set_up(int(input()))
    fill(int(input()))
    game = multiprocessing.Process(target=Game, args=(input(),))
    game.start()
    {main}
    game.join()


if __name__ == "__main__":
    main()
"""

GIVEN = [
    pytest.param("win32gui.EnumWindows(self.found, None)", id="a-method"),
    pytest.param("win32gui.EnumWindows(lambda handle, _: self.found(handle, None), None)", id="a-lambda"),
    pytest.param("win32gui.EnumWindows(functools.partial(self.found, 1), None)", id="a-partial"),
    pytest.param("library.for_each(self.found)", id="to-an-unknown-object"),
    pytest.param("win32gui.Loop(callback=self.found)", id="by-a-keyword"),
    pytest.param("run_each(self.found)", id="by-a-function-of-the-program"),
]
NOT_GIVEN = [
    pytest.param("win32gui.EnumWindows(print, None)", id="something-else"),
    pytest.param("keep(self.found, None)", id="to-what-does-not-call-it"),
    pytest.param("atexit.register(self.found, 1, None)", id="for-the-end"),
]


def _found(gives: str, read: str, main: str = "pass") -> list[str]:
    return [code for _, code in marks(WINDOWS.format(gives=gives, read=read, main=main)) if code in ("LP208", "LP210")]


@pytest.mark.parametrize("read", ["Screen.offset", "SCALES[0]"])
@pytest.mark.parametrize("gives", GIVEN)
def test_what_workers_may_set_themselves(gives: str, read: str) -> None:
    assert not _found(gives, read)


@pytest.mark.parametrize("gives", NOT_GIVEN)
def test_what_only_the_main_process_sets(gives: str) -> None:
    assert _found(gives, "Screen.offset") == ["LP208"]
    assert _found(gives, "SCALES[0]") == ["LP208"]


def test_what_the_main_process_gives() -> None:
    assert _found("pass", "Screen.offset", "win32gui.EnumWindows(Game.found, None)") == ["LP208"]
