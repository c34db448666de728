"""A number of another module that gets the value of an option, with all others."""

import argparse
import multiprocessing

import settings


def is_long(text):
    return len(text) > settings.limit


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("method")
    parser.add_argument("--limit", type=int, default=60)
    args = vars(parser.parse_args())
    method = args.pop("method")
    settings.update(args)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(is_long, ["x" * 80]))


if __name__ == "__main__":
    main()
