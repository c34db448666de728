"""The module parses the arguments at import."""

import argparse
import multiprocessing

parser = argparse.ArgumentParser()
parser.add_argument("method")
args = parser.parse_args()


def work(number):
    return args.method == "x"


def main():
    with multiprocessing.get_context(args.method).Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    main()
