"""An object that a method of its class makes once and keeps: main loads it, workers make their own."""

import multiprocessing
import sys


class Settings:
    _instance = None

    def __init__(self):
        self.values = {"rate": 1}

    @classmethod
    def instance(cls):
        if cls._instance is None:
            cls._instance = cls()
        return cls._instance

    def load(self, values):
        self.values.update(values)

    def get(self, name):
        return self.values[name]


def fee(amount):
    return amount * Settings.instance().get("rate")


def main(method):
    Settings.instance().load({"rate": 5})
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(fee, [100]))


if __name__ == "__main__":
    main(sys.argv[1])
