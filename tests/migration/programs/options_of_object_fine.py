"""Options on an object whose method is the task."""
import argparse
import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor


class Runner:
    def __init__(self, options):
        self.options = options

    def work(self, number):
        return number * self.options.scale

    def run(self, numbers):
        with ProcessPoolExecutor(1) as pool:
            return list(pool.map(self.work, numbers))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--scale", type=int, default=3)
    print(Runner(parser.parse_args([])).run([1, 2]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
