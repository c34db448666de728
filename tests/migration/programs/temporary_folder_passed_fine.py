"""Main makes a temporary folder and passes it."""

import functools
import multiprocessing
import os
import sys
import tempfile


def work(folder, number):
    with open(os.path.join(folder, str(number)), "w") as file:
        file.write("done")


def main(method):
    scratch = tempfile.mkdtemp()
    with multiprocessing.get_context(method).Pool(1) as pool:
        pool.map(functools.partial(work, scratch), [1, 2])
    print(sorted(os.listdir(scratch)))


if __name__ == "__main__":
    main(sys.argv[1])
