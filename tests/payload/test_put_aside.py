"""What callers put aside, or ask, before an object is shipped: by its own method, by `start()`, by a loader."""

from __future__ import annotations

import pytest

from tests.support import marks

JOB = """\
import multiprocessing
import pickle
import threading


class Job:
    def __init__(self, **options):
        self.lock = threading.Lock()
        self.__dict__.update(options)

    def launch(self):
        process = multiprocessing.Process(target=self.loop)
        process.start()
        process.join()

    def loop(self):
        print("loop")


def main():
    job = Job()
    {steps}


if __name__ == "__main__":
    main()
"""
KEPT = {
    "nothing": "job.launch()",
    "another attribute": "job.locks = None\n    job.launch()",
    "only sometimes": "if job.loop:\n        job.lock = None\n    job.launch()",
    "of another": "other = Job()\n    other.lock = None\n    job.launch()",
}
GONE = {
    "emptied": "job.lock = None\n    job.launch()",
    "deleted": "del job.lock\n    job.launch()",
    "restored": "saved, job.lock = job.lock, None\n    job.launch()\n    job.lock = saved",
    "asked": (
        "try:\n        pickle.dumps(job)\n    except TypeError:\n        print(job)\n    else:\n        job.launch()"
    ),
}


@pytest.mark.parametrize("steps", [pytest.param(steps, id=name) for name, steps in KEPT.items()])
def test_the_lock_is_shipped(steps: str) -> None:
    assert (8, "LP111") in marks(JOB.format(steps=steps))


@pytest.mark.parametrize("steps", [pytest.param(steps, id=name) for name, steps in GONE.items()])
def test_the_lock_is_not_shipped(steps: str) -> None:
    assert marks(JOB.format(steps=steps)) == []


def test_what_is_put_back_is_shipped() -> None:
    steps = "job.lock = None\n    job.lock = threading.Lock()\n    job.launch()"
    assert marks(JOB.format(steps=steps)) == [(23, "LP111")]


def test_what_is_kept_by_its_keyword() -> None:
    text = JOB.replace("        self.lock = threading.Lock()\n", "")
    kept = text.replace("Job()", "Job(lock=threading.Lock(), size=4)")
    assert [code for _, code in marks(kept.format(steps="job.size = None\n    job.launch()"))] == ["LP111"]
    assert marks(kept.format(steps="job.lock = None\n    job.launch()")) == []


OWN = """\
import multiprocessing
import threading


class Worker(multiprocessing.Process):
    def __init__(self):
        super().__init__()
        for name, value in (("lock", threading.Event()), ("size", 4)):
            setattr(self, name, value)

    def run(self):
        print("run")


def begin(worker):
    {step}
    worker.start()
    worker.join()


if __name__ == "__main__":
    begin(Worker())
"""


@pytest.mark.parametrize(("step", "expected"), [("print(worker)", [(8, "LP111")]), ("worker.lock = None", [])])
def test_a_process_of_the_programs_own(step: str, expected: list[tuple[int, str]]) -> None:
    assert marks(OWN.format(step=step)) == expected
