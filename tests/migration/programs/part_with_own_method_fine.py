"""Main asks a part of an object to note something that no worker reads, and changes a copy of another part."""

import copy
import multiprocessing
import sys


class Journal:
    def __init__(self):
        self.lines = []

    def note(self, line):
        self.lines.append(line)


class Scale:
    def __init__(self):
        self.factor = 1

    def zoom(self, factor):
        self.factor *= factor


class Style:
    def __init__(self):
        self.journal = Journal()
        self.scale = Scale()

    def preview(self, factor):
        scale = copy.copy(self.scale)
        scale.zoom(factor)
        scale.name = "preview"
        self.journal.note(f"preview at {scale.factor}")
        return scale


style = Style()


def resize(shape):
    return shape, style.scale.factor


def main(method):
    style.journal.note("start")
    style.preview(3)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(resize, ["square"]))


if __name__ == "__main__":
    main(sys.argv[1])
