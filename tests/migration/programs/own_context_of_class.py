"""A context manager of a class that sets a flag of another module's settings."""
import multiprocessing
import sys
from multiprocessing import Pool


class Settings:
    strict = False


class strict_mode:
    def __init__(self, strict=True):
        self.strict = strict

    def __enter__(self):
        self.before = Settings.strict
        Settings.strict = self.strict
        return self

    def __exit__(self, *exc):
        Settings.strict = self.before


def work(text):
    return Settings.strict, text.upper()


def main():
    with strict_mode():
        with Pool(1) as pool:
            print(pool.map(work, ["a"]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
