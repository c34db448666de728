"""An attribute of a library's module that main sets by `setattr`, and for which a worker asks by `getattr`."""

import sys
from multiprocessing import get_context


def build(number):
    return f"{number}:{getattr(sys, 'build_tag', 'local')}"


def main():
    setattr(sys, "build_tag", "ci-12")
    with get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(build, [1]))


if __name__ == "__main__":
    main()
