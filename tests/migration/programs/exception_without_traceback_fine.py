"""Exceptions are collected without their tracebacks, and are rebuilt from their arguments."""

import multiprocessing
import sys


class RowError(Exception):
    def __init__(self, row, field):
        super().__init__(row, field)
        self.field = field


def check(row):
    if not row:
        raise RowError(row, "name")


def fields(errors):
    print([error.field for error in errors], flush=True)


def main():
    failures = []
    for row in ("a", ""):
        try:
            check(row)
        except RowError as error:
            failures.append(error.with_traceback(None))
    worker = multiprocessing.Process(target=fields, args=(failures,))
    worker.start()
    worker.join()


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
