from .table import TABLE

TABLE["mile"] = 1.6
