"""Only what calls itself the main process defines the table."""

import multiprocessing
import sys

if multiprocessing.current_process().name == "MainProcess":
    TABLE = {"a": 1}


def work(name):
    print(TABLE[name])


def main(method):
    process = multiprocessing.get_context(method).Process(target=work, args=("a",))
    process.start()
    process.join()


if __name__ == "__main__":
    main(sys.argv[1])
