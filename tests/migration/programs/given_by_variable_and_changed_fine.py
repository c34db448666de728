"""A worker is given an object of a module by a variable, updates it, and hands it to what reads it."""

import multiprocessing
import sys


class Settings(dict):
    def __getattr__(self, name):
        return self[name]


CURRENT = Settings(precision=2, unit="m")


def show(settings, length):
    return f"{length:.{settings.precision}f}{settings.unit}"


def survey(settings, changes, lengths):
    settings.update(changes)
    print([show(settings, each) for each in lengths], flush=True)


def in_child(settings, changes, lengths):
    process = multiprocessing.Process(target=survey, args=(settings, changes, lengths))
    process.start()
    process.join()


def main():
    settings = CURRENT
    in_child(settings, {"unit": "km", "precision": 4}, [1.23456, 7.5])


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
