"""What the whole program reads, and a function for others that nobody here calls."""

scale = 1


def rescale(number):
    global scale
    scale = number


def scaled(x):
    return x * scale


def table():
    return dict(globals())
