"""A proxy that counts what it is asked for, and refuses what pickle asks."""

import multiprocessing
import sys


class Rules:
    def apply(self, cents):
        return cents * 9 // 10


class Audited:
    def __init__(self, inner):
        self._inner = inner
        self._lookups = {}

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        self._lookups[name] = self._lookups.get(name, 0) + 1
        return getattr(self._inner, name)


def price(rules, cents, conn):
    conn.send(rules.apply(cents))


def main():
    here, there = multiprocessing.Pipe(duplex=False)
    worker = multiprocessing.Process(target=price, args=(Audited(Rules()), 100, there))
    worker.start()
    there.close()
    worker.join()
    print(here.recv() if here.poll() else "nothing")


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
