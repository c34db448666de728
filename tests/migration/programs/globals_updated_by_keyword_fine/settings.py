limit = 100
strict = False


def configure():
    globals().update(limit=60)
