"""The methods of a parser call one another; main raises the recursion limit for that."""

import multiprocessing
import sys


class Reader:
    def __init__(self, text):
        self.text = text
        self.at = 0

    def value(self):
        if self.text[self.at] == "[":
            self.at += 1
            return self.items()
        self.at += 1
        return 0

    def items(self):
        deepest = 0
        while self.text[self.at] != "]":
            deepest = max(deepest, self.value())
        self.at += 1
        return deepest + 1


def depth(text):
    return Reader(text).value()


def main(method):
    sys.setrecursionlimit(20_000)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(depth, ["[" * 2000 + "]" * 2000]))


if __name__ == "__main__":
    main(sys.argv[1])
