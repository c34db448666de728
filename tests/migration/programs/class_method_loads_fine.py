"""The same, where workers load what is missing."""

import sys
import multiprocessing as mp


class Model:
    weights = None

    @classmethod
    def load(cls, path):
        cls.weights = [1, 2, 3]

    @classmethod
    def predict(cls, x):
        if cls.weights is None:
            cls.load("w.bin")
        return x + sum(cls.weights)


def main():
    Model.load("w.bin")
    with mp.get_context(sys.argv[1]).Pool(2) as pool:
        print(pool.map(Model.predict, [1]))


if __name__ == "__main__":
    main()
