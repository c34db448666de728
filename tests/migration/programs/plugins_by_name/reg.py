HANDLERS = {}


def handler(name):
    def deco(f):
        HANDLERS[name] = f
        return f

    return deco
