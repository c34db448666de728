"""A method of an object of the module sets a field of a part of it; workers read another field of that part."""

import multiprocessing
import sys
from dataclasses import dataclass


@dataclass
class Retry:
    attempts: int = 1
    pause: float = 0.5


class Settings:
    def __init__(self):
        self.retry = Retry()

    def apply(self, options):
        self.retry.attempts = options["attempts"]


settings = Settings()


def fetch(page):
    return page * settings.retry.pause


def main(method):
    settings.apply({"attempts": 4})
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(fetch, [1, 2]))


if __name__ == "__main__":
    main(sys.argv[1])
