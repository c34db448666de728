"""The module registers what is to be done at the end."""

import atexit
import multiprocessing
import sys

atexit.register(print, "bye")


def work(number):
    print("work", number, flush=True)


def main(method):
    process = multiprocessing.get_context(method).Process(target=work, args=(1,))
    process.start()
    process.join()


if __name__ == "__main__":
    main(sys.argv[1])
