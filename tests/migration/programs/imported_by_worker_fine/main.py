"""The worker imports inside of the function, and sets up what it has imported."""
import multiprocessing
import sys
from multiprocessing import Pool


def work(number):
    import settings

    settings.setup(number)
    return number * settings.LEVEL, settings.NAMES[0]


def name_of(number):
    from settings import CACHE

    return CACHE.get(number, "none")


def main():
    from settings import setup

    setup(3)
    with Pool(1) as pool:
        print(pool.map(work, [1]))
        print(pool.map(name_of, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
