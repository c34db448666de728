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


OWN_CLASS = """\
class FetchFailed(Exception):
    @property
    def is_lost(self):
        return isinstance(self.__cause__, OSError)

    def can_retry(self, times):
        return times < 3 and not self.is_lost

    @property
    def where(self):
        return self.args[0]

    def shown(self):
        return f"{self.where}: {self.__cause__}"

    @staticmethod
    def is_known(error):
        return error is not None
"""


def _with_own_class(use: str) -> str:
    return changed(WORKER + changed(MAIN, ("{use}", use)), ("class FetchFailed(Exception):\n    pass\n", OWN_CLASS))


@pytest.mark.parametrize(
    "use",
    [
        pytest.param("print(exc.is_lost)", id="property"),
        pytest.param("if not exc.can_retry(1): raise", id="method that reads a property"),
        pytest.param("note(exc); print(url for url in urls if exc.is_lost)", id="in an expression"),
    ],
)
def test_what_the_class_of_the_error_asks(use: str) -> None:
    assert _found(_with_own_class(use)) == ["LP249"]


@pytest.mark.parametrize(
    "use",
    [
        pytest.param("print(exc.where)", id="property that asks for something else"),
        pytest.param("print(exc.shown())", id="shown as a text"),
        pytest.param("print(exc.can_retry)", id="not called"),
        pytest.param("print(exc.is_known(exc))", id="of the class only"),
        pytest.param("print(policy.is_lost)", id="of another object"),
        pytest.param("exc.is_lost = True", id="stored"),
    ],
)
def test_what_the_class_of_the_error_may_ask(use: str) -> None:
    assert _found(_with_own_class(use)) == []


def test_an_attribute_that_another_class_computes_from_the_cause() -> None:
    text = changed(_with_own_class("print(exc.is_lost)"), ("raise FetchFailed(url)", "raise Plain(url)"))
    for body, expected in (
        ("@property\n    def is_lost(self):\n        return bool(self.args)", []),
        ("is_lost = False", []),
        ("pass", ["LP249"]),
    ):
        derived = f"class Plain(FetchFailed):\n    {body}\n\n\ndef fetch("
        assert _found(changed(text, ("def fetch(", derived))) == expected


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
