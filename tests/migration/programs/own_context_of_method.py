"""Settings with an override for a time."""
import multiprocessing
import sys
from contextlib import contextmanager
from multiprocessing import Pool


class Config:
    def __init__(self):
        self.level = 1
        self.name = "base"

    @contextmanager
    def override(self, **values):
        before = {name: getattr(self, name) for name in values}
        for name, value in values.items():
            setattr(self, name, value)
        try:
            yield self
        finally:
            for name, value in before.items():
                setattr(self, name, value)


CONFIG = Config()


def work(number):
    return number * CONFIG.level


def main():
    with CONFIG.override(level=3):
        with Pool(1) as pool:
            print(pool.map(work, [1, 2]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
