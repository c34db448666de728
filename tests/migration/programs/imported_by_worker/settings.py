LEVEL = 1
NAMES = []
CACHE = {}


def setup(level):
    global LEVEL
    LEVEL = level
    NAMES.append("set")
