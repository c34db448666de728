"""What a cached function gives, from which main reads."""

import functools
import multiprocessing
import sys


@functools.lru_cache(maxsize=None)
def settings():
    return {"scale": 1}


def work(number):
    return number * settings()["scale"]


def main(method):
    print(settings()["scale"])
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
