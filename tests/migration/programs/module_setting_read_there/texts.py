SEPARATOR = "-"
LIMIT = 10


def slug(title):
    return SEPARATOR.join(title.lower().split())[:LIMIT]
