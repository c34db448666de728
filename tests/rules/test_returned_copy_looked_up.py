"""LP230: returned-copy-looked-up."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import lint


class TestPage(PageTests):
    code = "LP230"


_LOOPED = """\
import multiprocessing as mp
from collections import namedtuple
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass


{job}


def work(job):
    return {returned}


def main():
    jobs = [Job(number) for number in range(4)]
    pending = {pending}
    with {pool} as pool:
        for {target} in {results}:
            {looks}
    print(pending)


if __name__ == "__main__":
    main()
"""
_JOB = "class Job:\n    def __init__(self, number):\n        self.number = number"
_RETURNED, _PENDING, _POOL = "job", "set(jobs)", "mp.Pool(2)"
_TARGET, _RESULTS, _LOOKS = "job", "pool.imap_unordered(work, jobs)", "pending.remove(job)"


def _found(
    job: str = _JOB,
    returned: str = _RETURNED,
    pending: str = _PENDING,
    pool: str = _POOL,
    target: str = _TARGET,
    results: str = _RESULTS,
    looks: str = _LOOKS,
) -> bool:
    text = _LOOPED.format(
        job=job, returned=returned, pending=pending, pool=pool, target=target, results=results, looks=looks
    )
    found = [each.location.start.row for each in lint(text).diagnostics if each.code == "LP230"]
    assert found in ([], [text[: text.index(f"            {looks}")].count("\n") + 1])
    return bool(found)


@pytest.mark.parametrize(
    ("pending", "looks", "is_missed"),
    [
        ("set(jobs)", "pending.remove(job)", True),
        ("set(jobs)", "pending.discard(job)", True),
        ("list(jobs)", "pending.remove(job)", True),
        ("[*jobs]", "print(pending.index(job))", True),
        ("set(jobs)", "print(job in pending)", True),
        ("list(jobs)", "print(job not in pending)", True),
        ("{each: 1 for each in jobs}", "pending.pop(job)", True),
        ("{each: 1 for each in jobs}", "pending.pop(job, None)", True),
        ("{each: 1 for each in jobs}", "print(pending.get(job))", True),
        ("{each: 1 for each in jobs}", "print(pending.get(job, 0))", True),
        ("{each: 1 for each in jobs}", "print(job in pending)", True),
        ("{each: 1 for each in jobs}", "del pending[job]", True),
        ("{each: 1 for each in jobs}", "pending[job] += 1", True),
        ("{each: 1 for each in jobs}", "print(pending[job])", True),
        ("{each: 1 for each in jobs}", "again = job; pending.pop(again, None)", True),
        ("dict.fromkeys(jobs)", "pending.pop(job)", False),  # gap: what `fromkeys` makes is not known.
        ("{each.number: 1 for each in jobs}", "print(pending.get(job.number))", False),
        ("{each: 1 for each in others}", "print(pending.get(job))", False),
        ("{}", "pending[job] = 1", False),
        ("{each: 1 for each in jobs}", "pending[job] = pending.get(job, 0) + 1", False),
        ("{}", "print(pending.get(job))", False),
        ("set()", "print(job in pending)", False),
        ("set()", "if job not in pending: pending.add(job)", False),
        ("set(jobs)", "job = jobs[job.number]; pending.remove(job)", False),
        ("set(jobs)", "print(job.number in pending)", False),
        ("{job.number for job in jobs}", "pending.remove(job.number)", False),
        ("set(jobs)", "pending.pop()", False),
        ("set()", "pending.add(job)", False),
        ("set()", "pending.add(job); pending.remove(job)", False),
        ("queued(jobs)", "pending.remove(job)", False),
        ("set(jobs)", "print(job)", False),
        ("set(jobs)", "pending.remove(jobs[job.number])", False),
    ],
)
def test_what_looks_for_it(pending: str, looks: str, is_missed: bool) -> None:
    assert _found(pending=pending, looks=looks) is is_missed


@pytest.mark.parametrize(
    ("job", "is_missed"),
    [
        (_JOB, True),
        (f"{_JOB}\n\n    def __repr__(self):\n        return str(self.number)", True),
        ("@dataclass\nclass Job:\n    number: int", False),
        ("@dataclass(frozen=True)\nclass Job:\n    number: int", False),
        ("Job = namedtuple('Job', 'number')", False),
        ("class Job(int):\n    pass", False),
        (f"{_JOB}\n\n    def __eq__(self, other):\n        return self.number == other.number", False),
        (f"{_JOB}\n\n    def __reduce__(self):\n        return known, (self.number,)", False),
        ("from jobs import Job", False),
        ("Job = str", False),
    ],
)
def test_what_equals_itself_alone(job: str, is_missed: bool) -> None:
    assert _found(job=job) is is_missed


@pytest.mark.parametrize(
    ("returned", "target", "looks", "is_missed"),
    [
        ("job", "done", "pending.remove(done)", True),
        ("job, 3", "job, _", "pending.remove(job)", True),
        ("3, job", "_, job", "pending.remove(job)", True),
        ("(job, 3)", "done", "pending.remove(done[0])", True),
        ("{'job': job, 'ok': True}", "done", "pending.remove(done['job'])", True),
        ("{'job': job, 'ok': True}", "done", 'pending.discard(done["job"])', True),
        ("{'job': job, 'ok': True}", "done", "one = done['job']; pending.remove(one)", True),
        ("{'job': job, 'ok': True}", "done", "pending.remove(done['ok'])", False),
        ("{'job': job.number}", "done", "pending.remove(done['job'])", False),
        ("job.number", "job", "pending.remove(job)", False),
        ("Job(3)", "job", "pending.remove(job)", False),
        ("changed(job)", "job", "pending.remove(job)", False),
        ("job, 3", "_, job", "pending.remove(job)", False),
    ],
)
def test_what_comes_back(returned: str, target: str, looks: str, is_missed: bool) -> None:
    assert _found(returned=returned, target=target, looks=looks) is is_missed


@pytest.mark.parametrize(
    ("pool", "results", "is_missed"),
    [
        ("mp.Pool(2)", "pool.map(work, jobs)", True),
        ("mp.Pool(2)", "pool.imap(work, jobs)", True),
        ("mp.get_context('fork').Pool(2)", _RESULTS, True),
        ("ProcessPoolExecutor(2)", "pool.map(work, jobs)", True),
        ("ThreadPoolExecutor(2)", "pool.map(work, jobs)", False),
        ("mp.pool.ThreadPool(2)", _RESULTS, False),
        ("mp.Pool(2)", "map(work, jobs)", False),
        ("mp.Pool(2)", "zip(jobs, pool.map(work, jobs))", False),
    ],
)
def test_where_the_work_is_done(pool: str, results: str, is_missed: bool) -> None:
    assert _found(pool=pool, results=results) is is_missed


_CALLED = """\
import multiprocessing as mp


class Job:
    pass


def work(job):
    return job


class Board:
    def __init__(self):
        self.pending = set()

    def submit(self, pool, job):
        {adds}
        pool.apply_async(work, (job,), callback={callback})

    def finished(self, job):
        {looks}

    def failed(self, error):
        print(error)


def main():
    board = Board()
    with mp.Pool(2) as pool:
        for _ in range(4):
            board.submit(pool, Job())
        pool.close()
        pool.join()


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("adds", "callback", "looks", "rows"),
    [
        ("self.pending.add(job)", "self.finished", "self.pending.remove(job)", [21]),
        ("self.pending.add(job)", "self.failed", "self.pending.remove(job)", []),
        ("self.pending.add(job)", "None", "self.pending.remove(job)", []),
        ("self.pending.add(job)", "self.finished", "print(job)", []),
        ("pass", "self.finished", "self.pending.add(job)", []),
    ],
)
def test_a_callback(adds: str, callback: str, looks: str, rows: list[int]) -> None:
    found = lint(_CALLED.format(adds=adds, callback=callback, looks=looks)).diagnostics
    assert [each.location.start.row for each in found if each.code == "LP230"] == rows


_TOLD = """\
import multiprocessing as mp


class Shard:
    def __init__(self, name):
        self.name = name


def work(shard):
    return {{"shard": shard, "name": shard.name}}


class Ledger:
    def __init__(self, shards):
        self.pending = {pending}
        self.done = []

    def settle(self, outcome):
        {looks}


def main():
    shards = [Shard(name) for name in "abc"]
    ledger = Ledger(shards)
    counts = {{}}
    for shard in shards:
        counts[shard] = 0
    with mp.Pool(2) as pool:
        for outcome in pool.imap(work, shards):
            {tells}
    print(len(ledger.pending), counts)


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("pending", "looks", "tells", "rows"),
    [
        ("set(shards)", "self.pending.discard(outcome['shard'])", "ledger.settle(outcome)", [19]),
        ("set(shards)", "shard = outcome['shard']; self.pending.remove(shard)", "ledger.settle(outcome)", [19]),
        ("list(shards)", "print(outcome['shard'] in self.pending)", "ledger.settle(outcome)", [19]),
        ("set(shards)", "pass", "shard = outcome['shard']; counts.pop(shard, None)", [30]),
        ("set(shards)", "pass", "print(outcome['shard'] in counts)", [30]),
        ("set(shards)", "self.pending.discard(outcome['shard'])", "print(outcome)", []),
        ("set(shards)", "self.done.append(outcome['shard'])", "ledger.settle(outcome)", []),
        ("{each.name for each in shards}", "self.pending.remove(outcome['name'])", "ledger.settle(outcome)", []),
        ("set()", "self.pending.discard(outcome['shard'])", "ledger.settle(outcome)", []),
        ("set(shards)", "print(outcome['shard'] in self.done)", "ledger.settle(outcome)", []),
        ("{each: 0 for each in shards}", "self.pending.pop(outcome['shard'], None)", "ledger.settle(outcome)", [19]),
        ("{each.name: 0 for each in shards}", "self.pending.pop(outcome['shard'], None)", "ledger.settle(outcome)", []),
    ],
)
def test_what_holds_it_is_passed_on(pending: str, looks: str, tells: str, rows: list[int]) -> None:
    found = lint(_TOLD.format(pending=pending, looks=looks, tells=tells)).diagnostics
    assert [each.location.start.row for each in found if each.code == "LP230"] == rows


_ASKED = """\
import asyncio
import multiprocessing as mp
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed, wait


class Frame:
    def __init__(self, number):
        self.number = number


def render(frame):
    return frame


def render_named(frame):
    return frame.number, frame


def results(futures):
    for future in as_completed(futures):
        yield future.result()


def check_off(frame, missing):
    missing.discard(frame)


class Batch:
    def __init__(self):
        self.futures = []

    def start(self, executor, frames):
        for frame in frames:
            self.futures.append(executor.submit(render, frame))

    def finish(self, missing):
        for future in self.futures:
            missing.discard(future.result())


def main():
    frames = [Frame(number) for number in range(4)]
    missing = set(frames)
    done = set()
    with {pool} as pool:
{body}
    print(missing, done)


if __name__ == "__main__":
    main()
"""
_EXECUTOR, _POOL_OF_TWO = "ProcessPoolExecutor(2)", "mp.Pool(2)"


@pytest.mark.parametrize(
    ("pool", "body"),
    [
        (_EXECUTOR, "for frame in frames:\n    missing.discard(pool.submit(render, frame).result())  # found"),
        (
            _EXECUTOR,
            "for future in [pool.submit(render, frame) for frame in frames]:\n"
            "    rendered = future.result()\n"
            "    missing.remove(rendered)  # found",
        ),
        (
            _EXECUTOR,
            "futures = [pool.submit(render, frame) for frame in frames]\n"
            "for future in as_completed(futures):\n"
            "    missing.discard(future.result())  # found",
        ),
        (
            _EXECUTOR,
            "futures = {pool.submit(render, frame): frame.number for frame in frames}\n"
            "for future in as_completed(futures):\n"
            "    missing.discard(future.result(timeout=3))  # found",
        ),
        (
            _EXECUTOR,
            "futures = {}\n"
            "for frame in frames:\n"
            "    futures[frame.number] = pool.submit(render, frame)\n"
            "for number, future in futures.items():\n"
            "    frame = future.result()\n"
            "    missing.discard(frame)  # found",
        ),
        (
            _EXECUTOR,
            "waiting = {pool.submit(render_named, frame) for frame in frames}\n"
            "while waiting:\n"
            "    ready, waiting = wait(waiting)\n"
            "    for future in ready:\n"
            "        number, frame = future.result()\n"
            "        missing.discard(frame)  # found",
        ),
        (
            _EXECUTOR,
            "futures = [pool.submit(render, frame) for frame in frames]\n"
            "for frame in results(futures):\n"
            "    missing.discard(frame)  # found",
        ),
        (
            _EXECUTOR,
            "for frame, again in zip(frames, pool.map(render, frames)):\n    missing.discard(again)  # found",
        ),
        (
            _EXECUTOR,
            "pairs = [(frame.number, pool.submit(render, frame)) for frame in frames]\n"
            "for number, future in pairs:\n"
            "    missing.discard(future.result())  # found",
        ),
        (
            _EXECUTOR,
            "for frame in frames:\n"
            "    pool.submit(render, frame).add_done_callback(\n"
            "        lambda future: missing.discard(future.result())  # found\n"
            "    )",
        ),
        (
            _EXECUTOR,
            "def note(future):\n"
            "    missing.discard(future.result())  # found\n"
            "for frame in frames:\n"
            "    future = pool.submit(render, frame)\n"
            "    future.add_done_callback(note)",
        ),
        (
            _POOL_OF_TWO,
            "handles = [pool.apply_async(render, (frame,)) for frame in frames]\n"
            "for handle in handles:\n"
            "    missing.discard(handle.get())  # found",
        ),
        (
            _POOL_OF_TWO,
            "for frame in pool.map_async(render, frames).get():\n    missing.discard(frame)  # found",
        ),
        (_POOL_OF_TWO, "rendered = pool.map(render, frames)\nmissing.remove(rendered[0])  # found"),
        (
            _POOL_OF_TWO,
            "for number, frame in enumerate(pool.imap(render, frames)):\n    missing.discard(frame)  # found",
        ),
    ],
)
def test_how_results_come(pool: str, body: str) -> None:
    assert _rows(pool, body) == _marked(pool, body)


def test_functions_to_which_futures_are_handed_on() -> None:
    text = _filled(
        _EXECUTOR,
        "batch = Batch()\nbatch.start(pool, frames)\nbatch.finish(missing)\n"
        "for frame in frames:\n    check_off(pool.submit(render, frame).result(), missing)",
    )
    looking = [row for row, line in enumerate(text.splitlines(), 1) if "missing.discard" in line]
    assert [each.location.start.row for each in lint(text).diagnostics if each.code == "LP230"] == looking


@pytest.mark.parametrize(
    ("pool", "body"),
    [
        (
            "ThreadPoolExecutor(2)",
            "for frame in frames:\n    missing.discard(pool.submit(render, frame).result())",
        ),
        (
            _EXECUTOR,
            "futures = {pool.submit(render, frame): frame for frame in frames}\n"
            "for future in as_completed(futures):\n"
            "    future.result()\n"
            "    missing.discard(futures[future])",
        ),
        (
            _EXECUTOR,
            "futures = [(frame, pool.submit(render, frame)) for frame in frames]\n"
            "for frame, future in futures:\n"
            "    future.result()\n"
            "    missing.remove(frame)",
        ),
        (
            _EXECUTOR,
            "for frame, again in zip(frames, pool.map(render, frames)):\n    missing.remove(frame)",
        ),
        (
            _EXECUTOR,
            "futures = [pool.submit(render_named, frame) for frame in frames]\n"
            "for future in as_completed(futures):\n"
            "    number, frame = future.result()\n"
            "    missing.discard(frames[number])",
        ),
        (
            _EXECUTOR,
            "futures = {pool.submit(render, frame) for frame in frames}\n"
            "for future in as_completed(list(futures)):\n"
            "    futures.remove(future)",
        ),
        (
            _EXECUTOR,
            "for frame in frames:\n"
            "    done.add(pool.submit(render, frame).result())\n"
            "for frame in list(done):\n"
            "    done.remove(frame)",
        ),
        (
            _EXECUTOR,
            "futures = [pool.submit(render, frame) for frame in frames]\n"
            "for future in as_completed(futures):\n"
            "    frame = future.result()\n"
            "    frame = frames[frame.number]\n"
            "    missing.discard(frame)",
        ),
        (
            _EXECUTOR,
            "futures = [pool.submit(render, frame) for frame in frames]\n"
            "for future in as_completed(futures):\n"
            "    print(future.result())\n"
            "for frame in frames:\n"
            "    missing.discard(frame)",
        ),
        (
            _EXECUTOR,
            "for frame in frames:\n"
            "    future = pool.submit(render, frame)\n"
            "    future.add_done_callback(lambda future, frame=frame: missing.discard(frame))",
        ),
        (
            _POOL_OF_TWO,
            "handles = {frame: pool.apply_async(render, (frame,)) for frame in frames}\n"
            "for frame, handle in handles.items():\n"
            "    handle.wait()\n"
            "    missing.discard(frame)",
        ),
        (
            _POOL_OF_TWO,
            "rendered = pool.map(render, frames)\nwhile rendered:\n    first = rendered[0]\n    rendered.remove(first)",
        ),
    ],
)
def test_what_is_looked_for_in_other_ways(pool: str, body: str) -> None:
    assert _rows(pool, body) == []


_AWAITED = """\
import asyncio
from concurrent.futures import ProcessPoolExecutor


class Frame:
    pass


def render(frame):
    return frame


async def main():
    frames = [Frame() for _ in range(4)]
    missing = set(frames)
    loop = asyncio.get_running_loop()
    with ProcessPoolExecutor(2) as pool:
        {body}
    print(missing)


if __name__ == "__main__":
    asyncio.run(main())
"""


@pytest.mark.parametrize(
    ("body", "rows"),
    [
        ("missing.discard(await loop.run_in_executor(pool, render, frames[0]))", [18]),
        (
            "for frame in await asyncio.gather(*[loop.run_in_executor(pool, render, each) for each in frames]):\n"
            "            missing.discard(frame)",
            [19],
        ),
        ("frame = await asyncio.wrap_future(pool.submit(render, frames[0])); missing.discard(frame)", [18]),
        ("missing.discard(await loop.run_in_executor(None, render, frames[0]))", []),
        ("await loop.run_in_executor(pool, render, frames[0]); missing.discard(frames[0])", []),
    ],
)
def test_what_is_awaited(body: str, rows: list[int]) -> None:
    found = lint(_AWAITED.format(body=body)).diagnostics
    assert [each.location.start.row for each in found if each.code == "LP230"] == rows


_QUEUED = """\
import multiprocessing as mp


class Frame:
    pass


def render(tasks, results):
    for frame in iter(tasks.get, None):
        results.put(frame)


def main():
    frames = [Frame() for _ in range(4)]
    missing = set(frames)
    tasks, results = mp.Queue(), mp.Queue()
    worker = mp.Process(target=render, args=(tasks, results))
    worker.start()
    for frame in frames:
        tasks.put(frame)
    for _ in frames:
        missing.discard(results.get())
    tasks.put(None)
    worker.join()
    print(missing)


if __name__ == "__main__":
    main()
"""


def test_what_comes_by_a_queue_is_not_told() -> None:
    # gap: what a queue or a pipe gives is not joined with what the worker got by another one
    assert [each for each in lint(_QUEUED).diagnostics if each.code == "LP230"] == []


def _filled(pool: str, body: str) -> str:
    return _ASKED.format(pool=pool, body="\n".join(f"        {line}" for line in body.splitlines()))


def _rows(pool: str, body: str) -> list[int]:
    found = lint(_filled(pool, body)).diagnostics
    return [each.location.start.row for each in found if each.code == "LP230"]


def _marked(pool: str, body: str) -> list[int]:
    return [row for row, line in enumerate(_filled(pool, body).splitlines(), 1) if "# found" in line]
