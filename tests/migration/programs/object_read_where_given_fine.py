"""The container is wired at import, and given to what only reads it; main and workers remember what they resolve."""

import multiprocessing
import sys


class Container:
    def __init__(self):
        self.factories = {}
        self.made = {}

    def bind(self, key, factory):
        self.factories[key] = factory

    def resolve(self, key):
        if key not in self.made:
            self.made[key] = self.factories.get(key, str)()
        return self.made[key]


container = Container()


def wire(target, environment):
    target.bind("host", lambda: f"{environment}.local")


wire(container, "staging")


def shown(target):
    return sorted(target.factories), target.resolve("host")


def deliver(user):
    return user, container.resolve("host")


def main(method):
    print(shown(container), container.resolve("host"))
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(deliver, ["ada"]))


if __name__ == "__main__":
    main(sys.argv[1])
