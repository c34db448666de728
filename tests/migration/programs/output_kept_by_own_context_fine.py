"""A context manager only keeps the output and counts; processes print meanwhile."""

import multiprocessing
import sys


class Counting:
    def __enter__(self):
        self.old = sys.stdout
        self.count = 0
        return self

    def __exit__(self, *error):
        self.old.flush()


def step(number):
    print("step", number, flush=True)


def main(method):
    with Counting() as counting:
        process = multiprocessing.get_context(method).Process(target=step, args=(1,))
        process.start()
        process.join()
        counting.count += 1


if __name__ == "__main__":
    main(sys.argv[1])
