"""LP317: too-few-end-marks."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import lint


class TestPage(PageTests):
    code = "LP317"


_PROGRAM = """\
import multiprocessing as mp

STOP = "stop"


def work(jobs, results):
{loop}


def produce(jobs, names):
    for name in names:
        jobs.put(name)
    jobs.put(None)


def stop(queue):
    queue.put(None)


def main(names):
    count = 4
    jobs, results = {made}, mp.Queue()
    {workers}
    for worker in workers:
        worker.start()
    for name in names:
        jobs.put(name)
    {end}
    for worker in workers:
        {join}


if __name__ == "__main__":
    main(["a.png", "b.png"])
"""
_READS = """\
    while True:
        job = jobs.get()
        if job is None:
            break
        results.put(job.upper())"""
_STARTED = "workers = [mp.Process(target=work, args=(jobs, results)) for _ in range(count)]"
_IN_LOOP = """workers = []
    for _ in range(count):
        workers.append(mp.Process(target=work, args=(jobs, results)))"""
_TWO = """first = mp.Process(target=work, args=(jobs, results))
    second = mp.Process(target=work, args=(jobs, results))
    first.start()
    second.start()
    workers = [first, second]"""


def _found(
    loop: str = _READS,
    made: str = "mp.Queue()",
    workers: str = _STARTED,
    end: str = "jobs.put(None)",
    join: str = "worker.join()",
) -> list[int]:
    text = _PROGRAM.format(loop=loop, made=made, workers=workers, end=end, join=join)
    return [each.location.start.row for each in lint(text).diagnostics if each.code == "LP317"]


def _one_item(loop: str) -> str:
    return "\n".join(f"    {line}" for line in loop.splitlines())


@pytest.mark.parametrize(
    "program",
    [
        {},
        {"made": "mp.JoinableQueue()"},
        {"end": "stop(jobs)"},
        {"end": "jobs.put(None)\n    stop(results)"},
        {"made": "mp.SimpleQueue()"},
        {"made": "mp.Manager().Queue()"},
        {"workers": _IN_LOOP},
        {"workers": _TWO},
        {"loop": _one_item("while True:\n    job = jobs.get()\n    if not job:\n        return\n    print(job)")},
        {"loop": _one_item("while (job := jobs.get()) is not None:\n    print(job)")},
        {"loop": _one_item("for job in iter(jobs.get, STOP):\n    print(job)"), "end": "jobs.put(STOP)"},
        {"loop": _one_item("for job in iter(jobs.get, 'stop'):\n    print(job)"), "end": "jobs.put(STOP)"},
        {
            "loop": _one_item("while True:\n    kind, job = jobs.get()\n    if kind == 'end':\n        break"),
            "end": "jobs.put(('end', None))",
        },
        {"loop": _READS.replace("is None", "is None:\n            results.put(None)\n        if job is None")},
        {"workers": f"{_TWO[: _TWO.rindex('workers')]}third = mp.Process(target=work, args=(jobs, results))\n"
                    "    third.start()\n    workers = [first, second, third]",
         "end": "jobs.put(None)\n    jobs.put(None)"},
    ],
)  # fmt: skip
def test_fewer_marks_than_workers(program: dict[str, str]) -> None:
    assert len(_found(**program)) == 1


@pytest.mark.parametrize(
    "program",
    [
        {"end": "for _ in workers:\n        jobs.put(None)"},
        {"end": "[jobs.put(None) for _ in workers]"},
        {"end": "for job in [None] * 4:\n        jobs.put(job)"},
        {"end": "results.put(None)"},
        {"end": "stop(jobs)\n    stop(jobs)"},
        {"end": "later = stop\n    jobs.put(None)"},
        {"end": "for _ in range(count):\n        stop(jobs)"},
        {"end": "jobs.put(None)\n    jobs.put(None)", "workers": _TWO},
        {"workers": "workers = [mp.Process(target=work, args=(jobs, results))]"},
        {"workers": _STARTED.replace("count", "1")},
        {"workers": f"count = 1\n    {_STARTED}"},
        {"workers": "workers = [mp.Process(target=work, args=(mp.Queue(), results)) for _ in range(count)]"},
        {"loop": _READS.replace("            break", "            jobs.put(None)\n            break")},
        {"loop": _READS.replace("get()", "get(timeout=1)")},
        {"loop": f"{_READS}\n        if job == 'last':\n            break"},
        {"loop": _one_item("while not jobs.empty():\n    job = jobs.get()\n    if job is None:\n        break")},
        {"join": "worker.join(1)"},
        {"join": "worker.terminate()"},
        {"join": "print(worker)", "workers": _STARTED.replace("results))", "results), daemon=True)")},
    ],
)
def test_as_many_marks_or_other_ends(program: dict[str, str]) -> None:
    assert _found(**program) == []
