"""State that main changes between two rounds of workers."""

import multiprocessing
import sys

import report


def pages(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        return pool.map(report.body, [1])


def main(method):
    first = pages(method)
    report.name_it("final")
    print(first, pages(method))


if __name__ == "__main__":
    main(sys.argv[1])
