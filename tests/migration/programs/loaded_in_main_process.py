"""Only what calls itself the main process loads the table."""

import multiprocessing
import sys

TABLE = {}
if multiprocessing.current_process().name == "MainProcess":
    TABLE["a"] = 1


def work(name):
    return TABLE.get(name)


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, ["a"]))


if __name__ == "__main__":
    main(sys.argv[1])
