"""What workers give that depends on the seed for the hashes of texts. With CPython 3.11, lists of sets, sets that are
joined and lists sorted by their hashes are others than those of main under spawn and forkserver, and the same under
fork."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

CODE = """\
import multiprocessing as mp

NAMES = {{"a", "b", "c"}}
IDS = {{}}
for name in NAMES:
    IDS[name] = len(IDS)


def bucket(text, count):
    return hash(text) % count


class Index:
    def __init__(self):
        self.tags, self.table = set(), {{}}

    def add(self, tag):
        self.tags.add(tag)
        self.table.setdefault(bucket(tag, 4), []).append(tag)


def work(texts):
    seen = set(texts)
    index = Index()
    out, counts, total, best = [], {{}}, 0, 0
    for each in texts:
        index.add(each)
    {body}


if __name__ == "__main__":
    with mp.Pool(2) as pool:
        print(pool.map(work, [["x", "y"], ["z"]]))
"""


def verdict(body: str, folder: Path) -> Verdict:
    return worst(migrated(folder, CODE.format(body=body.replace("\n", "\n    "))))


@pytest.mark.parametrize(
    "body",
    [
        "return sorted(texts, key=hash)",
        "return min(texts, key=lambda each: hash(each))",
        "texts.sort(key=hash)\nreturn texts",
        "return index.table",
        "return [hash(each) % 4 for each in texts]",
        "for each in texts:\n    if hash(each) % 2:\n        continue\n    out.append(each)\nreturn out",
        "return list(seen)[0]",
        "return list({each.lower() for each in texts})",
        "return next(iter(seen))",
        "return seen.pop()",
        "return ''.join(seen)",
        "return f'{seen}'",
        "return dict(enumerate(seen))",
        "return {each: place for place, each in enumerate(seen)}",
        "for each in seen | NAMES:\n    out.append(each)\nreturn out",
        "for each in seen:\n    total += 1\n    counts[each] = total\nreturn counts",
        "for each in seen:\n    print(each)",
        "print(seen)",
        "for each in index.tags:\n    return each",
        "for each in seen:\n    last = each\nreturn last",
        "with open('found.txt', 'w') as file:\n    for each in seen:\n        file.write(each)",
        "return max(seen, key=texts.count)",
        "return [IDS[each] for each in texts]",
        "return list(NAMES - seen)",
    ],
)
def test_what_workers_give_depends_on_the_seed(body: str, tmp_path: Path) -> None:
    assert verdict(body, tmp_path) is Verdict.CANNOT_TELL


@pytest.mark.parametrize(
    "body",
    [
        "return sorted(seen), len(seen), 'x' in seen, min(seen), max(NAMES)",
        "out = list(seen)\nout.sort()\nreturn out",
        "out = [each for each in texts if each not in seen]\nreturn out",
        "for each in seen:\n    total += len(each)\nreturn total",
        "for each in seen:\n    if len(each) > best:\n        best = len(each)\nreturn best",
        "for each in seen:\n    if each not in NAMES:\n        return False\nreturn True",
        "for each in seen:\n    counts[each] = texts.count(each)\nreturn sorted(counts.items())",
        "for each in sorted(seen):\n    out.append(each)\nreturn out",
        "return sum(len(each) for each in seen), any(each.isupper() for each in seen)",
        "return seen & NAMES == set(), seen <= NAMES",
        "return list({len(each) for each in texts})",
        "return list({1, 2, 3}), [each for each in set(range(9))]",
        "return hash(len(texts)) % 4",
        "return sorted(seen, key=lambda each: (len(each), each))",
        "seen = sorted(seen)\nreturn seen[0]",
        "return seen",
    ],
)
def test_what_workers_give_does_not(body: str, tmp_path: Path) -> None:
    assert verdict(body, tmp_path) is Verdict.READY


SENT = """\
import multiprocessing as mp


class Job:
    def __init__(self, tags):
        self.tags = tags

    def first(self):
        return next(iter(self.tags))


def work(given):
    return {returned}


if __name__ == "__main__":
    with mp.Pool(2) as pool:
        print(pool.map(work, [{given}]))
"""


@pytest.mark.parametrize(
    ("given", "returned", "expected"),
    [
        ("{'a', 'b'}", "list(given)", Verdict.CANNOT_TELL),
        ("Job({'a', 'b'})", "given.first()", Verdict.CANNOT_TELL),
        ("{1, 2}", "list(given)", Verdict.READY),
        ("Job({1, 2})", "given.first()", Verdict.READY),
        ("{'a', 'b'}", "len(given)", Verdict.READY),
    ],
)
def test_sets_that_main_sends(given: str, returned: str, expected: Verdict, tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, SENT.format(given=given, returned=returned))) is expected
