"""Attributes of classes that main sets by `setattr`: all options of the command line, and one by the text of its name."""

import argparse
import multiprocessing


class Limits:
    batch_size = 1
    rate = 0.5


class Output:
    unit = "m"


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("method")
    parser.add_argument("--batch-size", type=int, default=8)
    return parser.parse_args()


def configure(chosen):
    for name, value in vars(chosen).items():
        setattr(Limits, name, value)
    setattr(Output, "unit", "km")


def work(number):
    return f"{number * Limits.batch_size * Limits.rate} {Output.unit}"


def main():
    chosen = options()
    configure(chosen)
    with multiprocessing.get_context(chosen.method).Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    main()
