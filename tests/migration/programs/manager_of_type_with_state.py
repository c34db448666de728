"""The registered class reads what main has set."""
import multiprocessing
import sys
from multiprocessing.managers import BaseManager

PREFIX = "plain"


class Names:
    def make(self, name):
        return f"{PREFIX}-{name}"


class NameManager(BaseManager):
    pass


NameManager.register("Names", Names)


def main():
    global PREFIX
    PREFIX = "set"
    with NameManager() as manager:
        names = manager.Names()
        print(names.make("a"))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
