_options = {"mode": "slow"}


def set_option(name, value):
    _options[name] = value


def option(name):
    return _options[name]
