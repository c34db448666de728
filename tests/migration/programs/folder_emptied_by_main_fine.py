"""Main empties the folder."""

import multiprocessing
import os
import shutil
import sys


def work(number):
    return number


def main(method):
    shutil.rmtree("out", ignore_errors=True)
    os.makedirs("out")
    with open("out/plan.txt", "w") as file:
        file.write("1")
    with multiprocessing.get_context(method).Pool(1) as pool:
        pool.map(work, [1])
    print(os.listdir("out"))


if __name__ == "__main__":
    main(sys.argv[1])
