import state


def _apply(pairs):
    for name, value in pairs:
        state.set_option(name, value)


def boot(profile):
    _apply([("mode", profile)])
