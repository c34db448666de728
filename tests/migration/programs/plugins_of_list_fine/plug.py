from core import HANDLERS

HANDLERS["plug"] = "plugged"
