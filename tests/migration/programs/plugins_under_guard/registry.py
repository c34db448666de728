CODECS = {}


def register(function):
    CODECS[function.__name__] = function
    return function


def encode(text):
    return [codec(text) for codec in CODECS.values()]
