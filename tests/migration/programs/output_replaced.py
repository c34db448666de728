"""Standard output is replaced by main, and the worker prints."""

import multiprocessing
import sys


class Prefixed:
    def __init__(self, stream):
        self.stream = stream

    def write(self, text):
        self.stream.write(text.replace("step", "[run 7] step"))

    def flush(self):
        self.stream.flush()


def work(number):
    print("step", number, flush=True)


def main(method):
    sys.stdout = Prefixed(sys.stdout)
    with multiprocessing.get_context(method).Pool(1) as pool:
        pool.map(work, [1])


if __name__ == "__main__":
    main(sys.argv[1])
