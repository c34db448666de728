"""Each worker wires its own container, as main does."""

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


def deliver(user):
    return user, container.resolve("host")


def prepare():
    wire(container, environment="staging")


def main(method):
    prepare()
    with multiprocessing.get_context(method).Pool(1, initializer=prepare) as pool:
        print(pool.map(deliver, ["ada"]))


if __name__ == "__main__":
    main(sys.argv[1])
