"""What is stored on the items of a list that an object keeps, by methods that a loop calls on them, before the list is
shipped without the object: the callbacks of a trainer that writes a checkpoint."""

from __future__ import annotations

import pytest

from tests.support import marks

TRAINER = """\
import torch


class Report:
    def __init__(self, path):
        self.path = path
        self.stream = None

    def on_train_start(self, trainer):
        self.stream = open(self.path, "w")

    def on_train_end(self, trainer):
        self.stream.close()
        self.stream = None


class Trainer:
    def __init__(self, folder, callbacks=()):
        self.folder = folder
        self.callbacks = list(callbacks)
        self.loggers = [Report("log.txt")]

    def _emit(self, hook, *args):
        for callback in self.callbacks:
            getattr(callback, hook)(self, *args)

    def state(self, epoch):
        return {"epoch": epoch, "callbacks": self.callbacks}

    def save(self, epoch):
        torch.save(self.state(epoch), self.folder / "last.ckpt")

    def fit(self, epochs):
"""
MAIN = """

def main(folder, is_test=False):
    trainer = Trainer(folder, [Report("a.txt")])
"""
FIT = "    trainer.fit(3)\n"
OPENED = [(10, "LP110")]


def _found(text: str) -> list[tuple[int, str]]:
    return [each for each in marks(text) if each[1] == "LP110"]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("        self._emit('on_train_start')\n        self.save(0)\n", id="by a name"),
        pytest.param(
            "        for each in self.callbacks:\n            each.on_train_start(self)\n        self.save(0)\n",
            id="plainly",
        ),
        pytest.param(
            "        for each in self.callbacks:\n            each.on_train_start(self)\n"
            "        torch.save([self.callbacks], 'a.ckpt')\n",
            id="in a list",
        ),
        pytest.param(
            "        for each in self.callbacks:\n            getattr(each, 'on_train_start')(self)\n"
            "        for epoch in range(epochs):\n            torch.save({'callbacks': self.callbacks}, 'a.ckpt')\n",
            id="in the same function",
        ),
    ],
)
def test_handles_that_a_hook_opens(body: str) -> None:
    assert _found(TRAINER + body + MAIN + FIT) == OPENED


def test_the_checkpoint_is_written_by_who_has_made_the_trainer() -> None:
    body = "        self._emit('on_train_start')\n"
    assert _found(TRAINER + body + MAIN + "    trainer.fit(3)\n    trainer.save(0)\n") == OPENED


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("        self.save(0)\n        self._emit('on_train_start')\n", id="saved before"),
        pytest.param("        self._emit('on_test_start')\n        self.save(0)\n", id="another hook"),
        pytest.param("        self._emit(epochs)\n        self.save(0)\n", id="a hook that is not known"),
        pytest.param(
            "        self._emit('on_train_start')\n        self._emit('on_train_end')\n        self.save(0)\n",
            id="closed",
        ),
        pytest.param(
            "        for each in self.loggers:\n            each.on_train_start(self)\n        self.save(0)\n",
            id="another list",
        ),
        pytest.param(
            "        self._emit('on_train_start')\n        torch.save([each.path for each in self.callbacks], 'a')\n",
            id="something else of them",
        ),
    ],
)
def test_handles_that_are_not_written(body: str) -> None:
    assert _found(TRAINER + body + MAIN + FIT) == []


@pytest.mark.parametrize(
    "rest",
    [
        pytest.param("    trainer.save(0)\n    trainer.fit(3)\n", id="saved before"),
        pytest.param(
            "    if is_test:\n        trainer.save(0)\n    else:\n        trainer.fit(3)\n", id="in another branch"
        ),
    ],
)
def test_the_trainer_has_not_been_run(rest: str) -> None:
    assert _found(TRAINER + "        self._emit('on_train_start')\n" + MAIN + rest) == []


def test_a_callback_says_what_is_written() -> None:
    hook = "    def __getstate__(self):\n        return {'path': self.path}\n\n    def on_train_start"
    body = "        self._emit('on_train_start')\n        self.save(0)\n"
    assert _found(TRAINER.replace("    def on_train_start", hook) + body + MAIN + FIT) == []


JOBS = """\
import multiprocessing as mp


class Job:
    def __init__(self, path):
        self.path = path

    def open(self):
        self.stream = open(self.path)


class Runner:
    def __init__(self, paths):
        self.jobs = [Job(path) for path in paths]

    def prepare(self, method):
        for job in self.jobs:
            getattr(job, method)()

    def run(self):
        self.prepare("{method}")
        with mp.Pool(2) as pool:
            pool.apply(work, ({{"jobs": self.jobs}},))


def work(task):
    print(task)


if __name__ == "__main__":
    Runner(["a", "b"]).run()
"""


@pytest.mark.parametrize(("method", "found"), [("open", [(9, "LP110")]), ("close", [])])
def test_what_a_pool_is_given(method: str, found: list[tuple[int, str]]) -> None:
    assert _found(JOBS.format(method=method)) == found


ROWS = """\
from torch.utils.data import DataLoader, Dataset


class Source:
    def __init__(self, path):
        self.path = path

    def open(self):
        self.stream = open(self.path)


class Rows(Dataset):
    def __init__(self, sources):
        self.sources = sources

    def each_does(self, method):
        for source in self.sources:
            getattr(source, method)()

    def __getitem__(self, index):
        return self.sources[index].path

    def __len__(self):
        return len(self.sources)


def main():
    rows = Rows([Source("a")])
    {before}
    for row in DataLoader(rows, num_workers=2):
        print(row)
    {after}


if __name__ == "__main__":
    main()
"""


def test_what_a_loader_is_given() -> None:
    opens = "rows.each_does('open')"
    assert _found(ROWS.format(before=opens, after="")) == [(9, "LP110")]
    assert _found(ROWS.format(before="rows.each_does('close')", after="")) == []
    assert _found(ROWS.format(before="", after=opens)) == []


SERVICE = """\
import multiprocessing as mp


def serve(lines, pattern):
    while True:
        try:
            line = lines.recv()
        except EOFError:
            break
        print(pattern in line)


class Service:
    def __init__(self, pattern):
        self.reader, self.writer = mp.Pipe(duplex=False)
        self.process = mp.Process(target=serve, args=(self.reader, pattern))
        self.process.start()
        self.reader.close()

    def feed(self, line):
        self.writer.send(line)

    def finish(self):
        self.writer.close()
        self.process.join()


def main():
    service = Service("a")
    service.feed("b")
    service.finish()


if __name__ == "__main__":
    main()
"""


def test_what_nothing_was_done_to_ships_once() -> None:
    assert (7, "LP312") in marks(SERVICE)


KEPT = """\
import multiprocessing as mp


class Job:
    def __init__(self, path):
        self.path = path

    def open(self):
        self.stream = open(self.path)


class Runner:
    def __init__(self, paths):
        self.jobs = [Job(path) for path in paths]

    def prepare(self):
        for job in self.jobs:
            job.open()

    def run(self):
        mp.Process(target=print, args=({"jobs": self.jobs},)).start()


def main():
    runner = Runner(["a", "b"])
    %s


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("calls", "found"),
    [
        pytest.param("runner.prepare()\n    runner.run()", [(9, "LP110")], id="before it ships"),
        pytest.param("runner.run()\n    runner.prepare()", [], id="after it has shipped"),
        pytest.param("runner.run()\n    other = Runner([])\n    other.prepare()", [], id="another object"),
        pytest.param("runner.prepare()", [], id="never shipped"),
    ],
)
def test_what_is_done_by_the_time_it_ships(calls: str, found: list[tuple[int, str]]) -> None:
    assert _found(KEPT % calls) == found
