"""A namespace of main's own that a parser fills, beside one of the module."""

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
    options = argparse.Namespace(verbose=False)
    parser.parse_args([method], namespace=options)
    with multiprocessing.get_context(method).Pool(options.scale) as pool:
        print(pool.map(scaled, [2]))


if __name__ == "__main__":
    main(sys.argv[1])
