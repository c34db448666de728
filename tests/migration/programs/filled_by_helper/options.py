from limits import LIMITS


def overlay(target, given):
    for key, value in given.items():
        target[key] = value


def apply(given):
    overlay(LIMITS, given)
