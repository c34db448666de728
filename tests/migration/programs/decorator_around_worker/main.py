"""A decorator around the worker's function uses what main sets."""
import functools
import multiprocessing
import sys
from multiprocessing import Pool

RETRIES = None
HOOKS = []


def retried(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        for _ in range(RETRIES + 1):
            try:
                return function(*args, **kwargs)
            except OSError:
                continue
        return None

    return wrapper


@retried
def work(number):
    return number * 2


def main():
    global RETRIES
    RETRIES = 3
    with Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
