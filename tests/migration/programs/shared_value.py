"""A shared number that is made at import, and only inherited by fork."""

import multiprocessing
import sys

COUNT = multiprocessing.Value("i", 0)


def work(number):
    with COUNT.get_lock():
        COUNT.value += number


def main():
    process = multiprocessing.Process(target=work, args=(5,))
    process.start()
    process.join()
    print(COUNT.value)


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
