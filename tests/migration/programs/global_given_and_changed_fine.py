"""A worker is given an object of a module, changes it, and hands it to what reads it."""

import multiprocessing
import sys


class World:
    def __init__(self, gravity):
        self.gravity = gravity


WORLD = World(40.0)


def simulate(world, height):
    return round((2 * height / world.gravity) ** 0.5, 3)


def run(world, gravity):
    world.gravity = gravity
    print(simulate(world, 20.0), flush=True)


def main():
    for gravity in (10.0, 2.5):
        process = multiprocessing.Process(target=run, args=(WORLD, gravity))
        process.start()
        process.join()


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
