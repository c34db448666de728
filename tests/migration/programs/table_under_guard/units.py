FACTORS = {"m": 1, "km": 1000}
