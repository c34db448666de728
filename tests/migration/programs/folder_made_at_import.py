"""The module makes its folder at import."""

import multiprocessing
import os
import sys

os.makedirs("out/tables")


def work():
    print("work")


def main(method):
    process = multiprocessing.get_context(method).Process(target=work)
    process.start()
    process.join()


if __name__ == "__main__":
    main(sys.argv[1])
