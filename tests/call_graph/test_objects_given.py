"""Methods of objects that another object was given, in a list or by themselves, and calls back."""

from __future__ import annotations

import pytest

from tests.support import marks

PROGRAM = """\
import threading
from multiprocessing import Process


class Callback:
    def after(self, trainer):
        pass


class Uploads(Callback):
    def after(self, trainer):
        worker = Process(target=print, args=(trainer.state,))
        worker.start()
        worker.join()


class Prints(Callback):
    def after(self, trainer):
        print(trainer.state)


class Trainer:
    def __init__(self, state, callbacks, last=None):
        self.state = state
        self.callbacks = callbacks
        self.last = last

    def fit(self):
        for callback in self.callbacks:
            callback.after(self)
        if self.last is not None:
            self.last.after(self)

    def skip(self):
        pass


def fit(trainer, *callbacks):
    for callback in callbacks:
        callback.after(trainer)


def main():
    trainer = Trainer(threading.Lock(), [Uploads()])
    trainer.skip()


if __name__ == "__main__":
    {call}
"""


@pytest.mark.parametrize(
    "call",
    [
        "Trainer(threading.Lock(), [Prints(), Uploads()]).fit()",
        "Trainer([threading.Lock()], callbacks=(Uploads(),)).fit()",
        "Trainer(threading.Lock(), [], Uploads()).fit()",
        "uploads = Uploads()\n    trainer = Trainer(threading.Lock(), [uploads])\n    trainer.fit()",
    ],
)
def test_what_a_callback_ships_of_the_object_that_has_it(call: str) -> None:
    assert [code for _, code in marks(PROGRAM.format(call=call))] == ["LP111"]


@pytest.mark.parametrize(
    "call",
    [
        "Trainer(threading.Lock(), [Prints()]).fit()\n    Trainer(1, [Uploads()]).fit()",
        "Trainer(threading.Lock(), [], Prints()).fit()\n    print(Uploads())",
        "Trainer('state', [Uploads()], Uploads()).fit()",
        "main()",
    ],
)
def test_callbacks_that_ship_nothing_else(call: str) -> None:
    assert not marks(PROGRAM.format(call=call))
