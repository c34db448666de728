"""A class whose method sets the attributes that callers name."""

import multiprocessing
import sys


class Integrator:
    step = 0.5
    damping = 0.0

    @classmethod
    def configure(cls, **options):
        for name, value in options.items():
            setattr(cls, name, value)

    def run(self):
        return self.step


def work(_):
    return Integrator().run()


def main(method):
    Integrator.configure(step=float("0.25"))
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
