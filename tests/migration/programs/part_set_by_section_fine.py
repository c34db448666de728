"""A method sets fields of parts of an object that it looks up by name; each worker begins with it, too."""

import configparser
import multiprocessing
import sys

TEXT = """
[network]
timeout = 30
"""


class Network:
    def __init__(self):
        self.timeout = "5"


class Output:
    def __init__(self):
        self.folder = "."


class Config:
    def __init__(self):
        self.network = Network()
        self.output = Output()

    def read(self, text):
        parser = configparser.ConfigParser()
        parser.read_string(text)
        for section in parser.sections():
            self._merge(section, parser[section])

    def _merge(self, section, values):
        part = getattr(self, section)
        for name in values:
            setattr(part, name, values[name])


config = Config()


def begin():
    config.read(TEXT)


def download(url):
    return url, config.network.timeout


def main(method):
    config.read(TEXT)
    with multiprocessing.get_context(method).Pool(1, begin) as pool:
        print(pool.map(download, ["a"]))


if __name__ == "__main__":
    main(sys.argv[1])
