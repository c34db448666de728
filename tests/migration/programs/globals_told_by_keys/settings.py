RATE = 0.25
CURRENCY = "USD"


def override(values):
    for key, value in values.items():
        globals()[key.upper()] = value
