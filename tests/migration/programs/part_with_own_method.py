"""Main calls a method of a part of an object, and one of the object that calls another, which calls one of a part."""

import multiprocessing
import sys


class Palette:
    def __init__(self):
        self.names = ["black"]

    def use(self, names):
        self.names = list(names)


class Scale:
    def __init__(self):
        self.factor = 1

    def zoom(self, factor):
        self.factor *= factor


class Style:
    def __init__(self):
        self.palette = Palette()
        self.scale = Scale()

    def load(self, theme):
        self._load_palette(theme["colours"])

    def _load_palette(self, colours):
        self.palette.use(colours)


style = Style()


def draw(shape):
    return shape, style.palette.names


def resize(shape):
    return shape, style.scale.factor


def main(method):
    style.load({"colours": ["red", "blue"]})
    style.scale.zoom(3)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(draw, ["circle"]), pool.map(resize, ["square"]))


if __name__ == "__main__":
    main(sys.argv[1])
