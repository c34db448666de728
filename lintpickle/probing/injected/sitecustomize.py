"""Run by the interpreter of a program that is probed, before the program: this folder is on its `PYTHONPATH`."""

import importlib
import os

importlib.import_module("lintpickle_probe.startup").begin(os.path.dirname(os.path.abspath(__file__)))
