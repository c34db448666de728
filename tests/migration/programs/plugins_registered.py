"""A plugin that main registers with the manager of the module."""

import multiprocessing
import sys

import pluggy

spec = pluggy.HookspecMarker("etl")
impl = pluggy.HookimplMarker("etl")


class Spec:
    @spec
    def transform(self, value):
        """Change one value."""


class Doubler:
    @impl
    def transform(self, value):
        return value * 2


manager = pluggy.PluginManager("etl")
manager.add_hookspecs(Spec)


def step(value):
    return manager.hook.transform(value=value)


def main(method):
    manager.register(Doubler())
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(step, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
