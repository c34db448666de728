"""What `__getstate__` empties, though main has filled it: workers read it."""

import multiprocessing
import sys


class Speller:
    def __init__(self):
        self.known = {}

    def learn(self, words):
        for word in words:
            self.known[word] = len(self.known) + 1

    def __getstate__(self):
        state = self.__dict__.copy()
        state["known"] = {}
        return state

    def numbers(self, words):
        return [self.known.get(word, 0) for word in words]


def spell(speller, words, results):
    results.put(speller.numbers(words))


def main(method):
    context = multiprocessing.get_context(method)
    speller = Speller()
    speller.learn(["a", "b"])
    results = context.SimpleQueue()
    worker = context.Process(target=spell, args=(speller, ["b", "c"], results))
    worker.start()
    print(results.get())
    worker.join()


if __name__ == "__main__":
    main(sys.argv[1])
