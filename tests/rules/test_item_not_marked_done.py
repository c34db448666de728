"""LP313: item-not-marked-done."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import lint


class TestPage(PageTests):
    code = "LP313"


_PROGRAM = """\
import multiprocessing as mp
import queue


def work(jobs, results):
{loop}


def main(names):
    jobs, results = {made}, mp.Queue()
    workers = [mp.Process(target=work, args={args}, daemon=True) for _ in range(4)]
    for worker in workers:
        worker.start()
    for name in names:
        jobs.put(name)
    {end}


{more}
if __name__ == "__main__":
    main(["a.png", "b.png"])
"""
_SKIPS = """\
    while True:
        job = jobs.get()
        if not job.endswith(".png"):
            continue
        results.put(job.upper())
        jobs.task_done()"""


def _found(
    loop: str = _SKIPS,
    made: str = "mp.JoinableQueue()",
    args: str = "(jobs, results)",
    end: str = "jobs.join()",
    more: str = "",
) -> list[int]:
    text = _PROGRAM.format(loop=loop, made=made, args=args, end=end, more=more)
    return [each.location.start.row for each in lint(text).diagnostics if each.code == "LP313"]


def _loop(body: str, head: str = "while True:") -> str:
    """A loop with that body; each line of it begins behind the indentation of the body."""
    return f"    {head}\n" + "\n".join(f"        {line}" for line in body.splitlines())


_CAUGHT = """\
job = jobs.get()
try:
    results.put(open(job).read())
    jobs.task_done()
except OSError:
    print(job)"""
_WHOLE = """\
try:
    job = jobs.get(timeout=5)
    results.put(open(job).read())
    jobs.task_done()
except {error}:
    {handler}"""


@pytest.mark.parametrize(
    ("loop", "row"),
    [
        pytest.param(_SKIPS, 9, id="skips"),
        pytest.param(_SKIPS.replace("not job.endswith('.png')", "len(job) > 9"), 9, id="long ones"),
        pytest.param(_SKIPS.replace('not job.endswith(".png")', 'job == "b.png"'), 9, id="one of them"),
        pytest.param(_SKIPS.replace("while True", "for _ in range(9)"), 9, id="some times"),
        pytest.param(_loop(_CAUGHT), 11, id="caught"),
        pytest.param(_loop(_CAUGHT.replace("print(job)", "continue")), 11, id="caught, and on"),
        pytest.param(_loop(_CAUGHT.replace("print(job)", "return")), 11, id="caught, and out"),
        pytest.param(_loop(_WHOLE.format(error="Exception", handler="print('no')")), 11, id="all caught"),
        pytest.param(_loop("job = jobs.get()\nresults.put(job)"), 7, id="never marked"),
        pytest.param(_loop("results.put(job)", "for job in iter(jobs.get, None):"), 6, id="never marked by iter"),
        pytest.param(_loop("job = jobs.get()\nif job.isdigit():\n    jobs.task_done()"), 7, id="only some"),
    ],
)
def test_a_way_on_which_an_item_is_not_marked(loop: str, row: int) -> None:
    assert _found(loop=loop) == [row]


@pytest.mark.parametrize(
    "loop",
    [
        pytest.param(_SKIPS.replace("continue", "jobs.task_done(); continue"), id="marked"),
        pytest.param(_loop("job = jobs.get()\njobs.task_done()\nif job.isdigit():\n    continue"), id="marked at once"),
        pytest.param(
            _loop(
                "job = jobs.get()\ntry:\n    if job.isdigit():\n        continue\n    results.put(job)\n"
                "except OSError:\n    print(job)\nfinally:\n    jobs.task_done()"
            ),
            id="finally",
        ),
        pytest.param(_loop(_CAUGHT.replace("print(job)", "jobs.task_done()")), id="marked where caught"),
        pytest.param(_loop(_CAUGHT.replace("    jobs.task_done()\n", "") + "\njobs.task_done()"), id="marked behind"),
        pytest.param(_loop(_CAUGHT.replace("OSError", "KeyboardInterrupt")), id="the end"),
        pytest.param(_loop(_CAUGHT.replace("print(job)", "raise")), id="raised again"),
        pytest.param(_loop(_WHOLE.format(error="queue.Empty", handler="continue")), id="empty"),
        pytest.param(_loop(_WHOLE.format(error="queue.Empty", handler="break")), id="empty, and out"),
        pytest.param(
            _loop("try:\n    job = jobs.get(timeout=1)\nexcept Exception:\n    continue\njobs.task_done()"),
            id="nothing taken",
        ),
        pytest.param(_loop("job = jobs.get()\nif job is None:\n    break\njobs.task_done()"), id="sentinel after"),
        pytest.param(_loop("job = jobs.get()\nif job is None:\n    continue\njobs.task_done()"), id="none"),
        pytest.param(_loop("jobs.task_done()", "for job in iter(jobs.get, None):"), id="iter"),
        pytest.param(_loop("jobs.task_done()", "while (job := jobs.get()) is not None:"), id="walrus"),
        pytest.param(_loop("job = jobs.get()\nok = len(job) > 3\nif ok:\n    jobs.task_done()"), id="other condition"),
        pytest.param(_SKIPS.replace("continue", "finish(jobs); continue"), id="callee"),
        pytest.param(_SKIPS.replace("while True", "done = jobs.task_done\n    while True"), id="alias"),
        pytest.param(_SKIPS.replace("while True", "same = jobs\n    while True"), id="another name"),
        pytest.param(
            _loop("job = jobs.get()\nwith marking(jobs):\n    if job.isdigit():\n        continue"), id="with helper"
        ),
        pytest.param(_loop("job = jobs.get()\nresults.put((job, jobs))"), id="handed on"),
        pytest.param("    job = jobs.get()\n    results.put(job)", id="no loop"),
    ],
)
def test_a_loop_that_marks_each_item_or_may(loop: str) -> None:
    assert _found(loop=loop) == []


@pytest.mark.parametrize(
    ("changes", "is_told"),
    [
        ({"made": "mp.get_context('spawn').JoinableQueue()"}, True),
        ({"made": "mp.Manager().JoinableQueue()"}, True),
        ({"made": "mp.Manager().Queue()"}, True),
        ({"made": "mp.Queue()"}, False),
        ({"made": "opened()"}, False),
        ({"end": "for worker in workers:\n        worker.join()"}, False),
        ({"end": "jobs.close()"}, False),
        ({"end": "results.join()"}, False),
        ({"end": "for job in names:\n        jobs.task_done()\n    jobs.join()"}, False),
        ({"more": "def mark(jobs):\n    jobs.task_done()\n\n\n"}, False),
        ({"more": "def mark(jobs):\n    getattr(jobs, 'task_done')()\n\n\n"}, False),
        ({"more": "def other(rows):\n    rows.get()\n    rows.task_done()\n\n\n"}, True),
    ],
)
def test_the_queue_and_what_the_program_does_with_it(changes: dict[str, str], is_told: bool) -> None:
    assert _found(**changes) == [9] * is_told


_ENDS = "job = jobs.get()\nif job is {last}:\n    {before}break\njobs.task_done()"


@pytest.mark.parametrize(
    ("last", "before", "end", "is_told"),
    [
        ("None", "", "for worker in workers:\n        jobs.put(None)\n    jobs.join()", True),
        ("None", "", "[jobs.put(None) for worker in workers]; jobs.join()", True),
        ("None", "", "jobs.join()\n    for worker in workers:\n        jobs.put(None)", False),
        ("None", "jobs.task_done(); ", "for worker in workers:\n        jobs.put(None)\n    jobs.join()", False),
        ("END", "", "for worker in workers:\n        jobs.put(None)\n    jobs.join()", False),
    ],
)
def test_a_sentinel_counts_where_it_is_put_before_the_join(last: str, before: str, end: str, is_told: bool) -> None:
    assert _found(loop=_loop(_ENDS.format(last=last, before=before)), end=end) == [9] * is_told


def test_by_iter_the_sentinel_is_never_marked() -> None:
    loop = _loop("jobs.task_done()", "for job in iter(jobs.get, None):")
    assert _found(loop=loop, end="jobs.put(None); jobs.join()") == [6]
    assert _found(loop=loop, end="jobs.join(); jobs.put(None)") == []


_CREW = """\
import multiprocessing as mp


class Crew:
    def __init__(self):
        self.jobs = mp.JoinableQueue()
        self.worker = mp.Process(target=self.work)

    def work(self):
        while True:
            job = self.jobs.get()
            if job < 0:
                {skip}
            self.jobs.task_done()

    def run(self, numbers):
        self.worker.start()
        for number in numbers:
            self.jobs.put(number)
        {end}

    def mark(self):
        {mark}


if __name__ == "__main__":
    Crew().run(range(9))
"""
_WORKER = """\
import multiprocessing as mp


class Worker(mp.Process):
    def __init__(self, jobs):
        super().__init__()
        self.jobs = jobs

    def run(self):
        while True:
            job = self.jobs.get()
            if job < 0:
                {skip}
            self.jobs.task_done()


def main(numbers):
    queue = mp.JoinableQueue()
    Worker(queue).start()
    for number in numbers:
        queue.put(number)
    {end}


if __name__ == "__main__":
    main(range(9))
"""


@pytest.mark.parametrize(
    ("changes", "is_told"),
    [
        ({}, True),
        ({"skip": "self.jobs.task_done(); continue"}, False),
        ({"skip": "self.mark(); continue", "mark": "self.jobs.task_done()"}, False),
        ({"end": "self.worker.join()"}, False),
    ],
)
def test_a_queue_that_is_an_attribute(changes: dict[str, str], is_told: bool) -> None:
    text = _CREW.format(**{"skip": "continue", "end": "self.jobs.join()", "mark": "pass", **changes})
    assert [each.location.start.row for each in lint(text).diagnostics if each.code == "LP313"] == [13] * is_told


@pytest.mark.parametrize(
    ("skip", "end", "is_told"),
    [
        ("continue", "queue.join()", True),
        ("self.jobs.task_done(); continue", "queue.join()", False),
        ("continue", "queue.close()", False),
    ],
)
def test_a_queue_that_a_process_keeps(skip: str, end: str, is_told: bool) -> None:
    text = _WORKER.format(skip=skip, end=end)
    assert [each.location.start.row for each in lint(text).diagnostics if each.code == "LP313"] == [13] * is_told


def test_a_function_that_the_worker_passes_the_queue_to() -> None:
    # gap: only the function that the process begins with is known to have the queue
    loop = "    take(jobs)\n\n\ndef take(jobs):\n    while True:\n        jobs.get()"
    assert _found(loop=loop) == []
