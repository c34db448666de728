from registry import register


@register
def double(number):
    return 2 * number
