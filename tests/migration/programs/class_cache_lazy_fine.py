"""A cache on a class that whoever needs it fills."""

import multiprocessing
import sys


class Dictionary:
    _words = None

    @classmethod
    def words(cls):
        if cls._words is None:
            cls._words = {word: number for number, word in enumerate(["the", "cat", "sat"])}
        return cls._words

    @classmethod
    def number(cls, word):
        return cls.words().get(word, -1)


def encode(sentence):
    return [Dictionary.number(word) for word in sentence.split()]


def main():
    print(encode("the"))
    with multiprocessing.Pool(2) as pool:
        print(pool.map(encode, ["cat sat", "the dog"]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
