"""Log records of workers, and which loggers and handlers get them."""
