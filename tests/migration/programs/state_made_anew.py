"""What `__setstate__` makes anew by the constructor, though main has filled it."""

import multiprocessing
import sys


class Ranking:
    def __init__(self, names):
        self.names = names
        self.weights = {}

    def prefer(self, name, weight):
        self.weights[name] = weight

    def __getstate__(self):
        return {"names": self.names}

    def __setstate__(self, state):
        self.__init__(state["names"])

    def ordered(self):
        return sorted(self.names, key=lambda name: -self.weights.get(name, 0))


def rank(ranking, results):
    results.put(ranking.ordered())


def main(method):
    context = multiprocessing.get_context(method)
    ranking = Ranking(["red", "blue"])
    ranking.prefer("blue", 5)
    results = context.SimpleQueue()
    worker = context.Process(target=rank, args=(ranking, results))
    worker.start()
    print(results.get())
    worker.join()


if __name__ == "__main__":
    main(sys.argv[1])
