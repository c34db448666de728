"""A class that main registers as a subclass of an abstract one."""

import abc
import multiprocessing
import sys


class Drawable(abc.ABC):
    @abc.abstractmethod
    def draw(self): ...


class Sprite:
    def draw(self):
        return "sprite"


def show(thing):
    return thing.draw() if isinstance(thing, Drawable) else "skipped"


def main(method):
    Drawable.register(Sprite)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(show, [Sprite()]))


if __name__ == "__main__":
    main(sys.argv[1])
