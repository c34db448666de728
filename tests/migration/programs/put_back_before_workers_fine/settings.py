"""The level that all modules use."""

level = 1


def weigh(x):
    return x * level
