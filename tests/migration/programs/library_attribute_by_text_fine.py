"""An attribute of a library's module that each process sets; another that workers do not ask for."""

import sys
from multiprocessing import get_context

setattr(sys, "build_tag", "ci-12")


def build(number):
    return f"{number}:{getattr(sys, 'build_tag', 'local')}"


def main():
    setattr(sys, "build_number", 3)
    sys.__dict__["build_time"] = 4
    with get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(build, [1]), getattr(sys, "build_number", 0), "build_time")


if __name__ == "__main__":
    main()
