"""From trees to the facts of one module: names, values, functions, classes, calls. No other module is needed for
them."""
