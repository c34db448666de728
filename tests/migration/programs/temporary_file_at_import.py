"""The module opens a temporary file at import: workers write to it by its name, main reads it."""

import multiprocessing
import sys
import tempfile

REPORT = tempfile.NamedTemporaryFile("w+", suffix=".txt")


def work(number):
    with open(REPORT.name, "a") as file:
        file.write(f"{number};")


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        pool.map(work, [1, 2])
    print(REPORT.readlines())


if __name__ == "__main__":
    main(sys.argv[1])
