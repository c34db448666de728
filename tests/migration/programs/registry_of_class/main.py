"""The main process loads the modules that register steps; workers do not."""

import importlib
import multiprocessing
import sys
from functools import partial

from running import run


def main(method):
    for name in ["clean"]:
        importlib.import_module(name)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(partial(run, "strip"), [" one "]))


if __name__ == "__main__":
    main(sys.argv[1])
