class Check:
    pass


def names(number):
    return [each.__name__ for each in Check.__subclasses__()]
