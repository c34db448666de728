"""Functions of a module that main loads from a path, collected in a list and each sent to a worker."""

import importlib.util
import multiprocessing
import pathlib
import sys


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def collected(path):
    module = load(path)
    return [getattr(module, name) for name in sorted(vars(module)) if name.startswith("test_")]


def run(case):
    return case()


def main(method):
    path = pathlib.Path("cases.py")
    path.write_text("def test_one():\n    return 1\n")
    cases = collected(path)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map_async(run, cases).get(10))


if __name__ == "__main__":
    main(sys.argv[1])
