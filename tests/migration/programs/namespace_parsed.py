"""A namespace of the module that a parser fills in main."""

import argparse
import multiprocessing
import sys

OPTIONS = argparse.Namespace(scale=1)


def scaled(x):
    return x * OPTIONS.scale


def main(method):
    parser = argparse.ArgumentParser()
    parser.add_argument("method")
    parser.add_argument("--scale", type=int, default=3)
    parser.parse_args([method, "--scale", "3"], namespace=OPTIONS)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(scaled, [2]))


if __name__ == "__main__":
    main(sys.argv[1])
