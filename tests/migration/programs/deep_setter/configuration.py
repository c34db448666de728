_LEVEL = 1


def start(options):
    _apply(options)


def _apply(options):
    _set_level(options["level"])


def _set_level(level):
    global _LEVEL
    _LEVEL = level


def level():
    return _LEVEL
