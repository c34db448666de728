"""State that main changes when the workers have ended: itself, and by functions that it calls."""

import multiprocessing
import sys

import report


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        pages = pool.map(report.body, [1])
    report.finish()
    report.name_it("final")
    print(pages, report.body(2))


if __name__ == "__main__":
    main(sys.argv[1])
