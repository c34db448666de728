"""What the whole program reads."""

scale = 1


def scaled(x):
    return x * scale
