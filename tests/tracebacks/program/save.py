"""Saves it."""

import pickle

from data import Config, Samples


def save(path):
    with open(path, "wb") as file:
        pickle.dump(Samples("images", Config({"car": 1})), file)


if __name__ == "__main__":
    save("samples.pkl")
