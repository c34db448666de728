"""The module asks for the working folder at import; nobody changes it."""

import multiprocessing
import os
import sys

HERE = os.getcwd()


def work(number):
    return HERE == os.getcwd()


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
