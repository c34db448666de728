class Plugin:
    known = {}

    def __init_subclass__(cls):
        Plugin.known[cls.__name__] = cls
