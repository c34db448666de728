path = None
