ACTIVE = []


def check(text):
    return [rule for rule in ACTIVE if rule in text]
