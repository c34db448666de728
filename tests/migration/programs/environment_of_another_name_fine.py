"""Another variable, which no worker asks for."""

import multiprocessing
import os
import sys


def line(number):
    return os.environ.get("REGION", "?"), number


def report():
    with multiprocessing.Pool(1) as pool:
        print(pool.map(line, [1]))


def main():
    os.environ["REGION"] = "eu"
    report()
    os.environ["ZONE"] = "us"
    report()


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
