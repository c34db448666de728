SEPARATOR = "-"
LIMIT = 10
WIDTH = 3


def configure(separator):
    global SEPARATOR
    SEPARATOR = separator


def slug(title):
    return SEPARATOR.join(title.lower().split())[:LIMIT]


def wide(title):
    return title.center(WIDTH)
