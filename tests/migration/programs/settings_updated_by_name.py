"""Settings that a method takes by name, of which main gives some and workers read one."""

import multiprocessing
import sys


class Settings:
    def __init__(self):
        self.edge = 128
        self.quality = 75

    def update(self, **values):
        for key, value in values.items():
            if not hasattr(self, key):
                raise KeyError(key)
            setattr(self, key, value)


settings = Settings()


def scale(width):
    return min(width, settings.edge)


def main(method):
    settings.update(edge=320)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(scale, [64, 640]))


if __name__ == "__main__":
    main(sys.argv[1])
