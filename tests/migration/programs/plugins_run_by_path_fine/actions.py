import importlib.util

ACTIONS = {}


def action(name):
    def add(function):
        ACTIONS[name] = function
        return function

    return add


def run_all(folder):
    for path in folder.glob("plugin_*.py"):
        spec = importlib.util.spec_from_file_location(path.stem, path)
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
