"""Hashes of what the main process sends to workers, which choose by them. Measured with CPython 3.11: numbers have the
same hash in every process, texts have another one in each that is spawned."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

CODE = """\
from collections import Counter
from multiprocessing import Pool, Process, Queue

TEXT = "it was the best of times"


class Partitioner:
    def __init__(self, shards):
        self.shards = shards

    def shard_of(self, word):
        return hash(word) % self.shards

    def owns(self, shard, word):
        return self.shard_of(word) == shard


def count_shard(partitioner, shard, words, out):
    out.put(Counter(each for each in words if partitioner.owns(shard, each)))


def main():
    words = {words}
    partitioner, out = Partitioner(4), Queue()
    workers = [Process(target=count_shard, args=(partitioner, each, {given}, out)) for each in range(4)]
    for worker in workers:
        worker.start()
    print([out.get() for _ in workers])
    for worker in workers:
        worker.join()


if __name__ == "__main__":
    main()
"""


def said(folder: Path, words: str, given: str = "words") -> Verdict:
    return worst(migrated(folder, CODE.format(words=words, given=given)))


@pytest.mark.parametrize(
    ("words", "given"),
    [
        ("TEXT.split()", "words"),
        ('["it", "was", "the"]', "words"),
        ('("it", "was")', "list(words)"),
        ("[each.lower() for each in TEXT.split()]", "sorted(words)"),
        ('open("words.txt").read().splitlines()', "words"),
    ],
)
def test_texts_have_other_hashes(words: str, given: str, tmp_path: Path) -> None:
    assert said(tmp_path, words, given) is Verdict.CHANGES


@pytest.mark.parametrize(
    "words", ["load()", "[1, 2, 3]", "[len(each) for each in TEXT.split()]", '["it", 2]', "list(range(9))"]
)
def test_what_is_not_seen_to_be_texts_is_not_told_for_sure(words: str, tmp_path: Path) -> None:
    assert said(tmp_path, words) in (Verdict.CANNOT_TELL, Verdict.READY)
