KNOWN = {}


def register(function):
    KNOWN[function.__name__] = function
    return function
