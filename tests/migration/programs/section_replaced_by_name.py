"""Main puts whole sections into the settings, under names that a file could tell."""

import multiprocessing
import sys


class Settings:
    def __init__(self):
        self.limits = {"size": 1}


settings = Settings()


def apply(profile):
    for section, values in profile.items():
        settings.__dict__[section] = values


def work(number):
    return number * settings.limits["size"]


def main(method):
    apply({"limits": {"size": 7}})
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [2]))


if __name__ == "__main__":
    main(sys.argv[1])
