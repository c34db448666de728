"""An object that an action of the command line gives its options: workers have those of the import."""

import argparse
import multiprocessing


class Settings:
    def __init__(self):
        self.least = 20
        self.most = 90


current = Settings()


class Store(argparse.Action):
    def __call__(self, parser, namespace, values, option_string=None):
        setattr(current, self.dest, values)
        setattr(namespace, self.dest, values)


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("method")
    parser.add_argument("--least", type=int, action=Store)
    return parser


def work(number):
    return number >= current.least


def main():
    chosen = options().parse_args()
    options().parse_args([chosen.method, "--least", "32"])
    with multiprocessing.get_context(chosen.method).Pool(1) as pool:
        print(pool.map(work, [25]))


if __name__ == "__main__":
    main()
