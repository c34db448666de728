"""The working folder for the time of the pool."""
import os
from contextlib import contextmanager
from multiprocessing import Pool
import multiprocessing
import sys
import tempfile


@contextmanager
def working_in(path):
    before = os.getcwd()
    os.chdir(path)
    try:
        yield path
    finally:
        os.chdir(before)


def read(name):
    with open(name) as file:
        return file.read()


def main():
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "a.txt"), "w") as file:
            file.write("text")
        with working_in(folder):
            with Pool(1) as pool:
                print(pool.map(read, ["a.txt"]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
