"""A module's number that a command sets which main chooses by the parsed arguments."""

import argparse
import multiprocessing
import sys

SCALE = 1


def scaled(x):
    return x * SCALE


def run(arguments):
    global SCALE
    SCALE = arguments.scale
    with multiprocessing.get_context(arguments.method).Pool(1) as pool:
        print(pool.map(scaled, [2]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("method")
    parser.add_argument("--scale", type=int, default=3)
    parser.set_defaults(func=run)
    arguments = parser.parse_args()
    arguments.func(arguments)


if __name__ == "__main__":
    main()
