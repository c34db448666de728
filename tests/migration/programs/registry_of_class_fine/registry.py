"""Steps that decorators note in their class."""


class Registry:
    steps = {}

    @classmethod
    def step(cls, name, order=0):
        def add(function):
            cls.steps[name] = (order, function)
            return function

        return add

    @classmethod
    def get(cls, name):
        return cls.steps[name][1]
