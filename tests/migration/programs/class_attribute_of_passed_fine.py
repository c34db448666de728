"""An object that arrives in a tuple, and has the attribute itself."""

import multiprocessing
import sys


class Simulation:
    step = 1.0

    def __init__(self, step=None):
        if step is not None:
            self.step = step

    def run(self, count):
        return count * self.step


def run(job):
    simulation, count = job
    return simulation.run(count)


if __name__ == "__main__":
    simulations = [Simulation(0.5), Simulation()]
    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(run, [(each, 4) for each in simulations]))
