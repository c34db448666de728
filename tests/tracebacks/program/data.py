"""What crosses: a view of a dict, inside of a list."""

import threading


class Config:
    def __init__(self, classes):
        self.classes = dict(classes)
        self.names = self.classes.keys()


class Samples:
    def __init__(self, root, config):
        self.root = root
        self.parts = [config]

    def __len__(self):
        return 1


class Cache:
    def __init__(self):
        self.lock = threading.Lock()


class Other:
    def __init__(self, table):
        self.keys = table.keys()
