verbose = False
