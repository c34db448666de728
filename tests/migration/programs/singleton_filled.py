"""A singleton that main configures."""
import multiprocessing
import sys
from multiprocessing import Pool


class Registry:
    _instance = None

    def __new__(cls):
        if cls._instance is None:
            cls._instance = super().__new__(cls)
            cls._instance.rules = {}
        return cls._instance

    def add(self, name, rule):
        self.rules[name] = rule
        return self


def upper(text):
    return text.upper()


def work(text):
    return Registry().rules["upper"](text)


def main():
    Registry().add("upper", upper)
    with Pool(1) as pool:
        print(pool.map(work, ["a"]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
