"""A cache on a class that main fills, and workers ask for."""

import multiprocessing
import sys


class Dictionary:
    _words = None

    @classmethod
    def load(cls, text):
        cls._words = {word: number for number, word in enumerate(text.split())}

    @classmethod
    def number(cls, word):
        if cls._words is None:
            return -1
        return cls._words.get(word, -1)


def encode(sentence):
    return [Dictionary.number(word) for word in sentence.split()]


def main():
    Dictionary.load("the cat sat")
    with multiprocessing.Pool(2) as pool:
        print(pool.map(encode, ["cat sat", "the dog"]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
