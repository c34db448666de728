def score(number):
    return number


def doubled(number):
    return score(number) * 2
