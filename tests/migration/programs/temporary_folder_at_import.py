"""The module makes a temporary folder at import: workers write into it, main reads there."""

import multiprocessing
import os
import sys
import tempfile

SCRATCH = tempfile.mkdtemp()


def work(number):
    with open(os.path.join(SCRATCH, str(number)), "w") as file:
        file.write("done")


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        pool.map(work, [1, 2])
    print(sorted(os.listdir(SCRATCH)))


if __name__ == "__main__":
    main(sys.argv[1])
