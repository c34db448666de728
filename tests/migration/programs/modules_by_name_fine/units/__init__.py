from importlib import import_module

from .table import TABLE

for _name in ("distance",):
    import_module(f"{__name__}.{_name}")
