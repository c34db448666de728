"""LP208: what comes of a worker that ends by an error, where the main process takes a result for each item."""

from __future__ import annotations

import pytest

from tests.support import lint

_PROGRAM = """\
import multiprocessing as mp


class Service:
    index = None

    @classmethod
    def load(cls, documents):
        cls.index = {each: len(each) for each in documents}


def serve(requests, answers):
    SERVE


def ask(queries, jobs):
    requests, answers = mp.Queue(), mp.Queue()
    servers = [mp.Process(target=serve, args=(requests, answers)) for _ in range(jobs)]
    for server in servers:
        server.start()
    for query in queries:
        requests.put(query)
    TAKE


def main():
    Service.load(["memory", "queue"])
    print(ask(["memory"], 2))


if __name__ == "__main__":
    main()
"""
_SERVE = "for query in iter(requests.get, None):\n    answers.put(Service.index[query])"
_TAKE = "return [answers.get() for _ in queries]"
_TOLD = "the main process waits for ever at `answers.get()`"


def _message(serve: str = _SERVE, take: str = _TAKE) -> str:
    text = _PROGRAM.replace("SERVE", serve.replace("\n", "\n    ")).replace("TAKE", take.replace("\n", "\n    "))
    [found] = [each for each in lint(text).diagnostics if each.code == "LP208"]
    return found.message


@pytest.mark.parametrize(
    ("serve", "take"),
    [
        (_SERVE, _TAKE),
        (_SERVE.replace("index[query]", "index.get(query)"), _TAKE),
        (_SERVE, "found = []\nfor _ in queries:\n    found.append(answers.get())\nreturn found"),
    ],
)
def test_main_waits_for_what_does_not_come(serve: str, take: str) -> None:
    assert _TOLD in _message(serve, take)


@pytest.mark.parametrize(
    ("serve", "take"),
    [
        pytest.param(_SERVE, "return [answers.get(timeout=5) for _ in queries]", id="a limit"),
        pytest.param(_SERVE, "return servers", id="nothing is taken"),
        pytest.param(
            "for query in iter(requests.get, None):\n    answers.put((Service.index, query))",
            _TAKE,
            id="None is an answer",
        ),
        pytest.param(
            "for query in iter(requests.get, None):\n    try:\n        answers.put(Service.index[query])\n"
            "    except TypeError:\n        answers.put(None)",
            _TAKE,
            id="caught",
        ),
    ],
)
def test_main_does_not_wait_for_ever(serve: str, take: str) -> None:
    assert _TOLD not in _message(serve, take)
