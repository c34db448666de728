SHAPES = {}


class ShapeMeta(type):
    def __new__(mcls, name, bases, namespace):
        made = super().__new__(mcls, name, bases, namespace)
        if bases:
            SHAPES[name.lower()] = made
        return made


class Shape(metaclass=ShapeMeta):
    pass


def known(number):
    return sorted(SHAPES)
