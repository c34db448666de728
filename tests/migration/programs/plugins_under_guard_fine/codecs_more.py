from registry import register


@register
def reverse(text):
    return text[::-1]
