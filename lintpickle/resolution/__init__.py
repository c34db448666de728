"""From a name in one module to what defines it in another: bindings, star imports, class headers."""
