"""An exception that main has caught, and that a process reports."""

import multiprocessing
import sys


class RecordError(Exception):
    def __init__(self, path, line):
        super().__init__(f"{path}:{line}")
        self.line = line


def report(error):
    print(error.line, flush=True)


def parse(path, text):
    if not text:
        raise RecordError(path, 1)
    return text


def main(method):
    try:
        parse("data", "")
    except RecordError as error:
        error.__traceback__ = None
        process = multiprocessing.get_context(method).Process(target=report, args=(error,))
        process.start()
        process.join()


if __name__ == "__main__":
    main(sys.argv[1])
