"""A class sends what main prints to a file, but not while processes run."""

import multiprocessing
import sys


class Transcript:
    """What is printed goes to a file."""

    def __init__(self, path):
        self.path = path

    def __enter__(self):
        self.old = sys.stdout
        sys.stdout = open(self.path, "a", buffering=1)
        return self

    def __exit__(self, *error):
        sys.stdout.close()
        sys.stdout = self.old


def step(number):
    print("step", number, flush=True)


def run(method, numbers):
    for number in numbers:
        process = multiprocessing.get_context(method).Process(target=step, args=(number,))
        process.start()
        process.join()


def main(method):
    with Transcript("transcript.txt"):
        print("start")
    run(method, range(2))


if __name__ == "__main__":
    main(sys.argv[1])
