"""Globals that the main guard takes from the command line."""

import argparse
import multiprocessing


def scaled(number):
    return number * scale


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("method")
    parser.add_argument("--scale", type=int, default=3)
    globals().update(vars(parser.parse_args()))
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(scaled, [1]))
