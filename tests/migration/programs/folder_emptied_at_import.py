"""The module empties its folder at import."""

import multiprocessing
import os
import shutil
import sys

if os.path.exists("out"):
    shutil.rmtree("out")
os.makedirs("out")


def work(number):
    return number


def main(method):
    with open("out/plan.txt", "w") as file:
        file.write("1")
    with multiprocessing.get_context(method).Pool(1) as pool:
        pool.map(work, [1])
    print(os.listdir("out"))


if __name__ == "__main__":
    main(sys.argv[1])
