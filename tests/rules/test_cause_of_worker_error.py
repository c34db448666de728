"""LP249: cause-of-worker-error."""

from __future__ import annotations

import pytest

from lintpickle.analyses.results import causes_of_errors
from tests.pages import PageTests
from tests.support import changed, marks


class TestPage(PageTests):
    code = "LP249"


WORKER = """\
import asyncio
import multiprocessing as mp
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed


class FetchFailed(Exception):
    pass


def fetch(url):
    try:
        return open(url)
    except OSError as error:
        raise FetchFailed(url) from error


def is_lost(exc):
    return isinstance(exc.__cause__, OSError)


class Policy:
    def wants(self, page, exc):
        return isinstance(exc.__cause__, (OSError, TimeoutError))


def note(exc):
    print(exc)


"""
MAIN = """\
def main(urls):
    policy = Policy()
    with ProcessPoolExecutor(2) as pool:
        futures = {pool.submit(fetch, url): url for url in urls}
        for future in as_completed(futures):
            try:
                print(future.result())
            except FetchFailed as exc:
                {use}


if __name__ == "__main__":
    main(["a", "b"])
"""


def _found(text: str) -> list[str]:
    return [code for _, code in marks(text) if code == "LP249"]


@pytest.mark.parametrize(
    "use",
    [
        *(
            "print(isinstance(exc.__cause__, OSError))",
            "print(isinstance(exc.__context__, OSError))",
            "raise exc.__cause__",
        ),
        *(
            "print(is_lost(exc))",
            "print(policy.wants('a', exc))",
            "cause = exc.__cause__; print(type(cause) is OSError)",
        ),
        "if isinstance(exc.__cause__ or exc.__context__, OSError): pass",
        "if isinstance(getattr(exc, '__cause__', None), OSError): pass",
        *("print(exc.__cause__.errno)", "match exc.__cause__:\n                    case OSError(): pass"),
    ],
)
def test_how_the_cause_is_asked_for(use: str) -> None:
    assert _found(WORKER + changed(MAIN, ("{use}", use))) == ["LP249"]


@pytest.mark.parametrize(
    "use",
    [
        *(
            "print(exc.__cause__)",
            "print(repr(exc.__cause__), type(exc.__cause__))",
            "raise RuntimeError from exc.__cause__",
        ),
        *(
            "if exc.__cause__: print(exc.__cause__)",
            "print(exc.__cause__.tb)",
            "note(exc)",
            "print(exc.__cause__.args)",
        ),
        *("print(isinstance(exc.__cause__, Exception))", "print(isinstance(exc, OSError))", "raise"),
    ],
)
def test_what_is_right(use: str) -> None:
    assert _found(WORKER + changed(MAIN, ("{use}", use))) == []


ASKED = "print(isinstance(exc.__cause__, OSError))"


@pytest.mark.parametrize(
    "body",
    [
        "    with mp.Pool(2) as pool:\n        try:\n            pool.map(fetch, urls)\n"
        f"        except FetchFailed as exc:\n            {ASKED}\n",
        "    with mp.Pool(2) as pool:\n        task = pool.apply_async(fetch, ('a',))\n        try:\n"
        f"            task.get()\n        except Exception as exc:\n            {ASKED}\n",
        "    with mp.Pool(2) as pool:\n        try:\n            for page in pool.imap(fetch, urls):\n"
        f"                print(page)\n        except FetchFailed as exc:\n            {ASKED}\n",
        "    with ProcessPoolExecutor(2) as pool:\n        try:\n            print(list(pool.map(fetch, urls)))\n"
        f"        except FetchFailed as exc:\n            {ASKED}\n",
        "    with ProcessPoolExecutor(2) as pool:\n        future = pool.submit(fetch, 'a')\n"
        f"        exc = future.exception()\n        {ASKED}\n",
        "    with mp.Pool(2) as pool:\n        pool.apply_async(fetch, ('a',), error_callback=is_lost).wait()\n",
    ],
)
def test_ways_in_which_an_error_comes_back(body: str) -> None:
    assert _found(f"{WORKER}def main(urls):\n{body}\n\nif __name__ == '__main__':\n    main(['a'])\n") == ["LP249"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (" from error", " from None"),
        ("ProcessPoolExecutor(2)", "ThreadPoolExecutor(2)"),
        ("except FetchFailed as exc", "except ValueError as exc"),
        ("print(future.result())", "fetch(futures[future])"),
    ],
)
def test_errors_that_are_of_no_worker_or_have_no_cause(old: str, new: str) -> None:
    assert _found(changed(WORKER + changed(MAIN, ("{use}", ASKED)), (old, new))) == []


def test_in_the_worker_itself() -> None:
    text = changed(
        WORKER + changed(MAIN, ("{use}", "print(exc)")),
        ("submit(fetch, url)", "submit(again, url)"),
        (
            "class Policy",
            "def again(url):\n    try:\n        fetch(url)\n    except FetchFailed as exc:\n        is_lost(exc)\n"
            "        raise\n\n\nclass Policy",
        ),
    )
    assert _found(text) == []


def test_no_tree_is_asked_where_no_code_asks_for_a_cause(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    monkeypatch.setattr(causes_of_errors, "source_tree", read.append)
    text = changed(WORKER, ("__cause__", "args")) + changed(MAIN, ("{use}", "print(exc)"))
    assert _found(text) == []
    assert read == []
