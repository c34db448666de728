"""The cases that scripts add."""


class Registry(dict):
    def case(self, *tags):
        def note(function):
            self[function.__name__] = tags
            return function

        return note


cases = Registry()
