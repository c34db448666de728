"""Tree -> what one module says: names, values, functions, classes, calls. No other module is needed to know it."""
