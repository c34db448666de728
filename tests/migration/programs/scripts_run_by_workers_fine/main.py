"""Workers run the scripts that fill a registry before they look something up in it."""

import glob
import multiprocessing
import os
import runpy
import sys

from registry import cases

HERE = os.path.dirname(os.path.abspath(__file__))


def collect():
    for path in sorted(glob.glob(os.path.join(HERE, "case_*.py"))):
        runpy.run_path(path)


def tags_of(name):
    collect()
    return len(cases[name])


def main(method):
    collect()
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map_async(tags_of, sorted(cases)).get(timeout=30))


if __name__ == "__main__":
    main(sys.argv[1])
