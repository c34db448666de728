"""The name of a run is drawn once, by main, as it seems."""

import functools
import multiprocessing
import sys
import uuid


@functools.lru_cache(maxsize=None)
def run_name():
    return uuid.uuid4().hex


def work(expected):
    return run_name() == expected


def main(method):
    name = run_name()
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [name]))


if __name__ == "__main__":
    main(sys.argv[1])
