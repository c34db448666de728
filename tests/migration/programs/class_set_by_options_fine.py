"""Attributes of classes that `setattr` sets in main and, by an initializer, in every worker."""

import argparse
import multiprocessing


class Limits:
    batch_size = 1


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
    return f"{number * Limits.batch_size} {Output.unit}"


def main():
    chosen = options()
    configure(chosen)
    with multiprocessing.get_context(chosen.method).Pool(1, configure, (chosen,)) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    main()
