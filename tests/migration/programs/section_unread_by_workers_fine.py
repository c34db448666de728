"""Main changes what only itself reads of a part of the settings, which it looks up by name."""

import multiprocessing
import sys


class Layout:
    def __init__(self):
        self.title, self.width = "Report", 20


class Settings:
    def __init__(self):
        self.layout = Layout()


settings = Settings()


def entitle(section, text):
    getattr(settings, section).title = text


def pad(text):
    return text.rjust(settings.layout.width)


def main(method):
    entitle("layout", "Totals")
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(settings.layout.title, pool.map(pad, ["one"]))


if __name__ == "__main__":
    main(sys.argv[1])
