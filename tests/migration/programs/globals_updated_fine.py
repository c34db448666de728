"""Globals that the main guard takes from the command line, and that no worker reads."""

import argparse
import multiprocessing

STEP = 2


def scaled(number):
    return number * STEP


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("method")
    globals()["method"] = parser.parse_args().method
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(scaled, [1]))
