"""The object that the main process makes keeps itself on its class; workers make another."""

import multiprocessing
import sys


class Session:
    _instance = None

    def __init__(self, user="guest"):
        self.user = user
        type(self)._instance = self

    @classmethod
    def get(cls):
        if cls._instance is None:
            cls()
        return cls._instance


def work(x):
    return f"{Session.get().user}:{x}"


def main():
    Session("admin")
    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(work, [1, 2]))


if __name__ == "__main__":
    main()
