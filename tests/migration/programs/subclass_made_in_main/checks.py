"""Checks, which note themselves by their names."""


class Check:
    known = {}

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        Check.known[cls.__name__] = cls

    def run(self, value):
        raise NotImplementedError


class Positive(Check):
    def run(self, value):
        return value > 0


def run_check(job):
    name, value = job
    return Check.known[name]().run(value)
