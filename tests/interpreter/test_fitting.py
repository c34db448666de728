"""Calls that give too few arguments raise a TypeError: nothing that they would lead to happens."""

from __future__ import annotations

import pytest

from tests.support import marks

SCRIPT = """\
from multiprocessing import Pool


{define}


print("aligning")
{call}
"""
ALIGN = """\
def align(left, right, metric, workers, cut=100):
    with Pool(workers) as pool:
        print(pool.map(len, [left, right]), metric, cut)"""


@pytest.mark.parametrize("call", ['align("a", "b", "cosine")', 'align("a", "b", workers=2)', "align()"])
def test_a_start_behind_a_call_that_lacks_an_argument(call: str) -> None:
    assert not marks(SCRIPT.format(define=ALIGN, call=call))


@pytest.mark.parametrize(
    ("define", "call"),
    [
        (ALIGN, 'align("a", "b", "cosine", 2)'),
        (ALIGN, 'align("a", "b", metric="cosine", workers=2)'),
        (ALIGN, 'align(*input().split(), "cosine", 2)'),
        (ALIGN, 'align(**{name: 2 for name in ["left", "right", "metric", "workers"]})'),
        (ALIGN, 'options = dict(metric="cosine", workers=2)\nalign("a", "b", **options)'),
        ("import tools\n\n\n@tools.with_settings\n" + ALIGN, 'align("a", "b", "cosine")'),
        (
            "class Aligner:\n    @staticmethod\n" + ALIGN.replace("\n", "\n    ").replace("def", "    def", 1),
            'Aligner.align("a", "b", "c", 2)',
        ),
        (
            "class Aligner:\n    def align(self, texts):\n        Pool(2).map(len, texts)",
            'Aligner().align(["a", "b"])',
        ),
        (
            "class Aligner:\n    def align(self, texts):\n        Pool(2).map(len, texts)",
            'Aligner.align(Aligner(), ["a", "b"])',
        ),
    ],
)
def test_a_start_behind_a_call_that_gives_all(define: str, call: str) -> None:
    assert [code for _, code in marks(SCRIPT.format(define=define, call=call))] == ["LP203"]


WORKER = """\
import multiprocessing as mp
import threading


class Rewriter(mp.Process):
    def __init__(self, jobs, stopped, finished):
        super().__init__()
        self.jobs = jobs
        self.stopped = stopped
        self.finished = finished

    def run(self):
        while not self.stopped.is_set():
            print(self.jobs.get())


def tokenize(texts):
    stopped = threading.Event()
    worker = Rewriter({given})
    worker.start()
    worker.join()


if __name__ == "__main__":
    tokenize(["a", "b"])
"""


@pytest.mark.parametrize("given", ["texts, stopped", "jobs=texts, stopped=stopped"])
def test_a_process_whose_constructor_lacks_an_argument(given: str) -> None:
    assert not marks(WORKER.format(given=given))


@pytest.mark.parametrize(
    "given", ["texts, stopped, False", "texts, finished=False, stopped=stopped", "*(texts, stopped, False)"]
)
def test_a_process_whose_constructor_gets_all(given: str) -> None:
    assert [code for _, code in marks(WORKER.format(given=given))] == ["LP111"]


MADE = """\
import threading
from torch.utils.data import DataLoader, Dataset
{imports}

{decorator}class Rows({base}):
    def __init__(self, path, transform):
        self.path = path
        self.transform = transform

    def __len__(self):
        return 10

    def __getitem__(self, index):
        return self.transform(index)


def main():
    rows = Rows({given})
    rows.lock = threading.Lock()
    for batch in DataLoader(rows, num_workers=2):
        print(batch)
"""


def test_a_dataset_that_cannot_be_made() -> None:
    assert not marks(MADE.format(imports="", decorator="", base="Dataset", given='"rows.csv"'))


@pytest.mark.parametrize(
    ("imports", "decorator", "base", "given"),
    [
        ("", "", "Dataset", '"rows.csv", str'),
        ("from settings import configured\n", "@configured\n", "Dataset", '"rows.csv"'),
        ("from settings import Configured\n", "", "Configured, Dataset", '"rows.csv"'),
        ("from settings import Meta\n", "", "Dataset, metaclass=Meta", '"rows.csv"'),
    ],
)
def test_a_dataset_that_is_made_with_what_others_may_add(imports: str, decorator: str, base: str, given: str) -> None:
    code = MADE.format(imports=imports, decorator=decorator, base=base, given=given)
    assert "LP111" in [each for _, each in marks(code)]
