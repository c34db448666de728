"""The worker imports inside of the function."""
import multiprocessing
import sys
from multiprocessing import Pool


def work(number):
    import settings

    return number * settings.LEVEL, settings.NAMES[0]


def work_again(number):
    from settings import NAMES

    return NAMES[number]


def main():
    from settings import setup

    setup(3)
    with Pool(1) as pool:
        print(pool.map(work, [1]))
        print(pool.map(work_again, [0]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
