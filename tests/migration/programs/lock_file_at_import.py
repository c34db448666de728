"""The module makes a file at import that must not be there yet."""

import multiprocessing
import sys

with open("run.lock", "x") as lock:
    lock.write("locked")


def work():
    print("work")


def main(method):
    process = multiprocessing.get_context(method).Process(target=work)
    process.start()
    process.join()


if __name__ == "__main__":
    main(sys.argv[1])
