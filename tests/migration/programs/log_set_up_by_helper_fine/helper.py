import logging


def set_up(name, path):
    log = logging.getLogger(name)
    log.setLevel(logging.INFO)
    handler = logging.FileHandler(path)
    log.addHandler(handler)
    return log
