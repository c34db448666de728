"""The folder for temporary files is set by main."""

import multiprocessing
import os
import sys
import tempfile


def scratch(name):
    with tempfile.NamedTemporaryFile(prefix=name) as file:
        return os.path.dirname(file.name) == os.getcwd()


def main(method):
    tempfile.tempdir = os.getcwd()
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(scratch, ["a"]))


if __name__ == "__main__":
    main(sys.argv[1])
