"""A worker asks for an attribute of a library's module, with a default; main sets it, and a builtin by another way."""

import builtins
import multiprocessing
import sys


def work(number):
    return getattr(sys, "build_tag", "local"), double(number)


def main(method):
    sys.build_tag = "ci"
    builtins.__dict__["double"] = abs
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [-1]))


if __name__ == "__main__":
    main(sys.argv[1])
