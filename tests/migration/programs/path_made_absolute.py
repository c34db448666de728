"""A path that the import makes absolute, before main goes to another folder."""

import multiprocessing
import os
import sys

DATA = os.path.abspath("data")


def folder(number):
    return DATA


def main(method):
    os.makedirs("run", exist_ok=True)
    os.chdir("run")
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(folder, [1]) == [DATA])


if __name__ == "__main__":
    main(sys.argv[1])
