"""LP235: pool-ended-before-tasks."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import lint


class TestPage(PageTests):
    code = "LP235"


PROGRAM = """\
import multiprocessing
import os
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from multiprocessing.pool import ThreadPool

from mpire import WorkerPool
from tqdm import tqdm


@contextmanager
def terminated(size):
    pool = multiprocessing.Pool(size)
    try:
        yield pool
    finally:
        pool.terminate()
        pool.join()


@contextmanager
def joined(size):
    pool = multiprocessing.Pool(size)
    yield pool
    pool.close()
    pool.join()
    pool.terminate()


def work(number, path=None):
    return number


def main(numbers):
    done = []
    BODY
    return done


if __name__ == "__main__":
    main([1, 2])
"""
_EACH = "for number in numbers:\n            pool.apply_async(work, (number,), callback=done.append)"
_WITH = "with multiprocessing.Pool(2) as pool:\n        "


def _found(body: str) -> list[str]:
    return [each.code for each in lint(PROGRAM.replace("BODY", body)).diagnostics if each.code == "LP235"]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(_WITH + _EACH, id="left"),
        pytest.param("with terminated(2) as pool:\n        " + _EACH, id="left by way of a generator"),
        pytest.param(f"{_WITH}{_EACH}\n        pool.close()", id="closed only"),
        pytest.param(f"{_WITH}{_EACH}\n        print('all are given')", id="told"),
        pytest.param(_WITH + "pool.map_async(work, numbers, callback=done.extend)", id="many at once"),
        pytest.param(_WITH + "results = [pool.apply_async(work, (each,)) for each in numbers]", id="results kept"),
        pytest.param(_WITH + "pool.apply_async(work, (1, os.path.join('a', 'b')))", id="a path"),
        pytest.param(
            "pool = multiprocessing.Pool(2)\n    for number in numbers:\n        pool.apply_async(work, (number,))\n"
            "    pool.terminate()\n    pool.join()",
            id="terminated",
        ),
        pytest.param(
            "pool = multiprocessing.Pool(2)\n    try:\n        for number in numbers:\n"
            "            pool.apply_async(work, (number,))\n    finally:\n        pool.terminate()",
            id="terminated at last",
        ),
        pytest.param(f"{_WITH}return pool.imap(work, numbers)", id="results returned"),
        pytest.param(f"{_WITH}return pool.imap_unordered(work, numbers, chunksize=2)", id="as they come"),
        pytest.param(f"{_WITH}return tqdm(pool.imap(work, numbers), total=2)", id="shown"),
        pytest.param(f"{_WITH}return (each + 1 for each in pool.imap(work, numbers))", id="by a generator"),
        pytest.param(f"{_WITH}results = enumerate(pool.imap(work, numbers))\n        return results", id="numbered"),
        pytest.param(f"{_WITH}results = pool.imap(work, numbers)\n    done = list(results)", id="read behind"),
        pytest.param(
            f"{_WITH}results = pool.imap(work, numbers)\n        pool.close()\n    done = list(results)", id="shut"
        ),
        pytest.param(f"{_WITH}return pool.map_async(work, numbers)", id="promise returned"),
        pytest.param(
            f"{_WITH}results = [pool.apply_async(work, (each,)) for each in numbers]\n        return results",
            id="promises returned",
        ),
        pytest.param(
            "with open('log') as log, multiprocessing.Pool(2) as pool:\n        return pool.imap(work, numbers)",
            id="left first of two",
        ),
        pytest.param(
            "pool = multiprocessing.Pool(2)\n    results = pool.imap(work, numbers)\n    pool.terminate()\n"
            "    done = list(results)",
            id="terminated before they are read",
        ),
        pytest.param(
            "pool = multiprocessing.Pool(2)\n    try:\n        return pool.imap(work, numbers)\n"
            "    finally:\n        pool.terminate()",
            id="terminated on the way out",
        ),
    ],
)
def test_what_must_be_found(body: str) -> None:
    assert _found(body) == ["LP235"]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(f"{_WITH}{_EACH}\n        pool.close()\n        pool.join()", id="joined"),
        pytest.param("with joined(2) as pool:\n        " + _EACH, id="joined by a generator"),
        pytest.param("with closing(multiprocessing.Pool(2)) as pool:\n        " + _EACH, id="closing"),
        pytest.param("with ThreadPool(2) as pool:\n        " + _EACH, id="threads"),
        pytest.param(
            "with ProcessPoolExecutor(2) as pool:\n        for number in numbers:\n            pool.submit(work, 1)",
            id="an executor waits",
        ),
        pytest.param(
            f"{_WITH}results = [pool.apply_async(work, (each,)) for each in numbers]\n"
            "        done = [each.get() for each in results]",
            id="asked for",
        ),
        pytest.param(f"{_WITH}result = pool.map_async(work, numbers)\n        result.wait()", id="waited for"),
        pytest.param(f"{_WITH}done = pool.map_async(work, numbers).get()", id="asked for at once"),
        pytest.param(
            f"{_WITH}{_EACH}\n        while len(done) < len(numbers):\n            time.sleep(0.1)", id="counted"
        ),
        pytest.param(f"{_WITH}{_EACH}\n        serve(numbers)", id="goes on with something else"),
        pytest.param(f"{_WITH}done = pool.map(work, numbers)", id="map waits"),
        pytest.param(f"{_WITH}return list(pool.imap(work, numbers))", id="listed"),
        pytest.param(f"{_WITH}return [each for each in pool.imap(work, numbers)]", id="comprehension"),
        pytest.param(f"{_WITH}return sum(each for each in pool.imap(work, numbers))", id="summed"),
        pytest.param(f"{_WITH}return collect(pool.imap(work, numbers))", id="another function may read them"),
        pytest.param(f"{_WITH}yield from pool.imap(work, numbers)", id="generator"),
        pytest.param(f"{_WITH}for each in pool.imap(work, numbers):\n            yield each", id="yields each"),
        pytest.param(f"{_WITH}for each in pool.imap(work, numbers):\n            done.append(each)", id="loop"),
        pytest.param(
            f"{_WITH}results = pool.imap(work, numbers)\n        for each in results:\n            done.append(each)",
            id="read in a loop",
        ),
        pytest.param(
            f"{_WITH}results = pool.imap(work, numbers)\n        return {{each: 1 for each in results}}",
            id="read on the way out",
        ),
        pytest.param(
            f"{_WITH}results = pool.imap(work, numbers)\n        pool.close()\n        pool.join()\n"
            "    done = list(results)",
            id="joined before they are read",
        ),
        pytest.param(
            f"{_WITH}try:\n            return pool.imap(work, numbers)\n"
            "        finally:\n            pool.close()\n            pool.join()",
            id="joined on the way out",
        ),
        pytest.param("with ThreadPool(2) as pool:\n        return pool.imap(work, numbers)", id="results of threads"),
        pytest.param(
            "with ProcessPoolExecutor(2) as pool:\n        return pool.map(work, numbers)", id="results of an executor"
        ),
        pytest.param(
            "with WorkerPool(2) as pool:\n        return pool.imap(work, numbers)", id="tasks begin when read"
        ),
        pytest.param(
            "pool = multiprocessing.Pool(2)\n    return pool.imap(work, numbers)", id="results of a living pool"
        ),
        pytest.param("pool = multiprocessing.Pool(2)\n    pool.apply_async(work, (1,))", id="not ended here"),
        pytest.param(
            "pool = multiprocessing.Pool(2)\n    try:\n        for number in numbers:\n"
            "            pool.apply_async(work, (number,))\n        pool.close()\n        pool.join()\n"
            "    except KeyboardInterrupt:\n        pool.terminate()",
            id="terminated after an error",
        ),
    ],
)
def test_what_must_not_be_found(body: str) -> None:
    assert _found(body) == []


def test_a_pool_that_another_function_gives_tasks_to() -> None:
    given = "def give(pool, numbers):\n    for number in numbers:\n        pool.apply_async(work, (number,))\n\n\n"
    for ends, is_found in (("", True), ("\n        pool.close()\n        pool.join()", False)):
        source = PROGRAM.replace("BODY", f"{_WITH}give(pool, numbers){ends}").replace("def main", given + "def main")
        assert [each.code for each in lint(source).diagnostics if each.code == "LP235"] == ["LP235"] * is_found


DISPATCHER = """\
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import Pool


def deliver(path, who):
    with open(path, "w") as out:
        out.write(who)


class Dispatcher:
    def __init__(self, workers):
        self.pool = Pool(workers)
        self.count, self.results = 0, []

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        ENDS

    def stop(self):
        self.__exit__(None, None, None)

    def send(self, path, who):
        GIVES
        self.count += 1

    def wait(self):
        for each in self.results:
            each.wait()


class Campaign:
    def __init__(self, text):
        self.text = text
        self.dispatcher = Dispatcher(2)

    def launch(self, people):
        for who in people:
            self.dispatcher.send(who, self.text.format(name=who))
        self.dispatcher.stop()


def main(people):
    USE


if __name__ == "__main__":
    main(["a", "b"])
"""
_WITH_OBJECT = "with Dispatcher(2) as dispatcher:\n        for who in people:\n            dispatcher.send(who, who)"
_STOPPED = (
    "dispatcher = Dispatcher(2)\n    for who in people:\n        dispatcher.send(who, who)\n    dispatcher.stop()\n"
    "    return dispatcher.count"
)
_IN_FINALLY = (
    "dispatcher = Dispatcher(2)\n    try:\n        for who in people:\n            dispatcher.send(who, f'{who}')\n"
    "    finally:\n        dispatcher.stop()"
)
_THIRD = "Campaign('Dear {name}').launch(people)"
_SENDS = "self.pool.apply_async(deliver, (path, who))"


def _found_of_object(use: str, ends: str, sends: str = _SENDS) -> list[str]:
    program = DISPATCHER if use is _THIRD else DISPATCHER.replace("        self.dispatcher.stop()\n", "")
    text = program.replace("USE", use).replace("ENDS", ends.replace("\n", "\n        ")).replace("GIVES", sends)
    return [each.code for each in lint(text).diagnostics if each.code == "LP235"]


@pytest.mark.parametrize("use", [_WITH_OBJECT, _STOPPED, _IN_FINALLY, _THIRD])
@pytest.mark.parametrize(
    "ends",
    [
        "self.pool.terminate()",
        "self.pool.__exit__(*exc)",
        "self.pool.close()\nself.pool.terminate()",
        "self.pool.terminate()\nself.pool.join()",
    ],
)
def test_a_pool_that_an_object_keeps_and_ends(use: str, ends: str) -> None:
    assert _found_of_object(use, ends) == ["LP235"]


def test_results_that_an_object_keeps_and_nobody_asks_for() -> None:
    assert _found_of_object(_WITH_OBJECT, "self.pool.terminate()", f"self.results.append({_SENDS})") == ["LP235"]


@pytest.mark.parametrize(
    ("use", "ends", "sends"),
    [
        pytest.param(_WITH_OBJECT, "self.pool.close()\nself.pool.join()", _SENDS, id="joined"),
        pytest.param(_STOPPED, "self.pool.close()\nself.pool.join()\nself.pool.terminate()", _SENDS, id="joined first"),
        pytest.param(
            _WITH_OBJECT,
            "if exc[0] is not None:\n    self.pool.terminate()\nelse:\n    self.pool.close()\nself.pool.join()",
            _SENDS,
            id="terminated after an error",
        ),
        pytest.param(_WITH_OBJECT, "pass", _SENDS, id="not ended"),
        pytest.param(
            _WITH_OBJECT,
            "for each in self.results:\n    each.get()\nself.pool.terminate()",
            f"self.results.append({_SENDS})",
            id="asked for on the way out",
        ),
        pytest.param(
            _WITH_OBJECT + "\n        dispatcher.wait()",
            "self.pool.terminate()",
            f"self.results.append({_SENDS})",
            id="waited for",
        ),
        pytest.param(_WITH_OBJECT + "\n        time.sleep(9)", "self.pool.terminate()", _SENDS, id="given time"),
        pytest.param(
            _WITH_OBJECT + "\n        while people:\n            people.pop()",
            "self.pool.terminate()",
            _SENDS,
            id="a loop that may take long",
        ),
        pytest.param(_WITH_OBJECT, "self.pool.terminate()", _SENDS.replace("_async", ""), id="waits for each"),
    ],
)
def test_a_pool_that_an_object_ends_in_time(use: str, ends: str, sends: str) -> None:
    assert _found_of_object(use, ends, sends) == []


def test_an_executor_that_an_object_leaves() -> None:
    text = DISPATCHER.replace("USE", _WITH_OBJECT).replace("ENDS", "self.pool.__exit__(*exc)")
    text = text.replace("self.pool = Pool", "self.pool = ProcessPoolExecutor")
    text = text.replace("GIVES", "self.pool.submit(deliver, path, who)")
    assert [each.code for each in lint(text).diagnostics if each.code == "LP235"] == []
