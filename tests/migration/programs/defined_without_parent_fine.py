"""Only a process without a parent has the table."""

import multiprocessing
import sys

if multiprocessing.parent_process() is None:
    TABLE = {"a": 1}


def work(name):
    print(TABLE[name])


def main(method):
    process = multiprocessing.get_context(method).Process(target=work, args=("a",))
    process.start()
    process.join()


if __name__ == "__main__":
    main(sys.argv[1])
