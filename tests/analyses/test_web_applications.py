"""Web applications and clients that processes are given: `Process(target=app.run)`, `Process(target=self.poll)` where
the object keeps one."""

from __future__ import annotations

import pytest

from tests.support import marks

PROGRAM = """\
import multiprocessing as mp

import zmq
from flask import Flask


class Handler:
    def __init__(self):
        {keeps}
        self.name = __name__

    def poll(self):
        context = zmq.Context()
        print(self.name, context.socket(zmq.SUB))

    def begin(self):
        mp.Process(target={target}).start()


def serve():
    app = Flask(__name__)
    app.run()


if __name__ == "__main__":
    Handler().begin()
"""


@pytest.mark.parametrize(
    ("keeps", "target", "found"),
    [
        ("self.app = Flask(__name__)", "self.app.run", ["LP115"]),
        ("self.app = Flask(__name__)", "self.poll", ["LP115"]),
        ("self.context = zmq.Context()", "self.poll", ["LP110"]),
        ("self.socket = zmq.Context.instance().socket(zmq.SUB)", "self.poll", ["LP110"]),
        ("self.app = None", "self.poll", []),
        ("self.app = Flask(__name__)", "serve", []),
        ("self.kind = Flask", "self.poll", []),
    ],
)
def test_what_processes_are_given(keeps: str, target: str, found: list[str]) -> None:
    text = PROGRAM.replace("{keeps}", keeps).replace("{target}", target)
    assert sorted({code for _, code in marks(text) if code in ("LP110", "LP115")}) == found


def test_a_function_that_an_application_registers_is_still_itself() -> None:
    text = (
        "import multiprocessing as mp\nfrom flask import Flask\napp = Flask(__name__)\n\n\n"
        "@app.route('/')\ndef page():\n    return 'a'\n\n\n"
        "if __name__ == '__main__':\n    mp.Process(target=page).start()\n"
    )
    assert [code for _, code in marks(text)] == []
