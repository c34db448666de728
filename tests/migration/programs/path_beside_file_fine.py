"""Paths beside the script, which are the same in every folder."""

import multiprocessing
import os
import sys
from pathlib import Path

HERE = os.path.abspath(os.path.dirname(__file__))
DATA = Path(__file__).resolve().parent / "data"
TEMPORARY = os.path.realpath("/tmp")


def folder(number):
    return HERE, DATA, TEMPORARY


def main(method):
    os.makedirs("run", exist_ok=True)
    os.chdir("run")
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(folder, [1]) == [(HERE, DATA, TEMPORARY)])


if __name__ == "__main__":
    main(sys.argv[1])
