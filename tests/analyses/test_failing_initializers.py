"""What messages say of pools that start workers for ever: LP203 and LP208."""

from __future__ import annotations

import pytest

from tests.support import lint

STARTED = "from concurrent.futures import ProcessPoolExecutor\nfrom multiprocessing import Pool, Process\n\n{start}\n"
HANGS = "the program hangs"


@pytest.mark.parametrize(
    ("start", "hangs"),
    [
        ("pool = Pool(2)\nprint(pool.map(abs, [1]))", True),
        ("with Pool(2) as pool:\n    print(pool.map(abs, [1]))", True),
        ("process = Process(target=print)\nprocess.start()", False),
        ("with ProcessPoolExecutor(2) as executor:\n    print(list(executor.map(abs, [1])))", False),
    ],
)
def test_a_pool_that_is_not_guarded(start: str, hangs: bool) -> None:
    messages = {each.message for each in lint(STARTED.format(start=start)).diagnostics if each.code == "LP203"}
    assert messages
    assert {HANGS in message for message in messages} == {hangs}


INITIALIZED = """\
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import Pool

_options = {{}}


def begin():
    {begin}


def work(item):
    return item


def main():
    _options["path"] = "a.fa"
    with {pool} as pool:
        print(list(pool.map(work, [1, 2])))


if __name__ == "__main__":
    main()
"""
POOL = "Pool(2, initializer=begin)"


@pytest.mark.parametrize(
    ("begin", "pool", "hangs"),
    [
        ('print(_options["path"])', POOL, True),
        ("print(_options['path'])", POOL, True),
        ('print(_options["path"])', "ProcessPoolExecutor(2, initializer=begin)", False),
        ('try:\n        print(_options["path"])\n    except KeyError:\n        pass', POOL, False),
        ('if work(0):\n        print(_options["path"])', POOL, False),
        ('print(_options.get("path"))', POOL, False),
    ],
)
def test_an_initializer_that_fails(begin: str, pool: str, hangs: bool) -> None:
    messages = {each.message for each in lint(INITIALIZED.format(begin=begin, pool=pool), pedantic=True).diagnostics}
    assert any(HANGS in message for message in messages) is hangs
    if hangs:
        assert any("KeyError: 'path'" in message for message in messages)
