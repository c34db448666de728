"""State that main changes when the workers have ended, which a function started that it calls."""

import multiprocessing
import sys

import report


def pages(method):
    process = multiprocessing.get_context(method).Process(target=show, args=(1,))
    process.start()
    process.join()


def show(number):
    print(report.body(number), flush=True)


def main(method):
    pages(method)
    report.title = "final"
    report.META["title"] = "final"
    print(report.body(2))


if __name__ == "__main__":
    main(sys.argv[1])
