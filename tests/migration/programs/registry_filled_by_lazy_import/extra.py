import registry


@registry.register("more")
def more():
    return 2
