"""The time of day."""


def now():
    return 100


def age(t):
    return now() - t
