"""Tables that the import fills by statements."""

import configparser

ROWS = {"a": 1}
ROWS["b"] = 2
config = configparser.ConfigParser()
config.read_dict({"first": {"key": "1"}})
