"""A class that is registered at import as a subclass of an abstract one."""

import abc
import multiprocessing
import sys


class Drawable(abc.ABC):
    @abc.abstractmethod
    def draw(self): ...


class Sprite:
    def draw(self):
        return "sprite"


Drawable.register(Sprite)


def show(thing):
    return thing.draw() if isinstance(thing, Drawable) else "skipped"


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(show, [Sprite()]))


if __name__ == "__main__":
    main(sys.argv[1])
