"""A value of the options is passed from a global that main has set."""
import argparse
import multiprocessing
import sys
from multiprocessing import Pool

args = None


def work(task):
    number, scale = task
    return number * scale


def run(numbers):
    with Pool(args.jobs) as pool:
        return pool.map(work, [(number, args.scale) for number in numbers])


def main():
    global args
    parser = argparse.ArgumentParser()
    parser.add_argument("--scale", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args([])
    print(run([1, 2]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
