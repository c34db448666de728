limit = 100


def update(values):
    globals().update({key: value for key, value in values.items() if value is not None})
