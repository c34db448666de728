"""A file that is read at import, and written by main after that."""

import multiprocessing
import os
import sys

PATH = "value.txt"
VALUE = open(PATH).read() if os.path.exists(PATH) else "10"


def work(number):
    return VALUE


if __name__ == "__main__":
    with open(PATH, "w") as file:
        file.write("20")
    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(work, [1]))
