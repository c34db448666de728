"""How the program logs."""

import logging.config


def setup_logging():
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "handlers": {"out": {"class": "logging.StreamHandler", "stream": "ext://sys.stdout"}},
            "root": {"level": "INFO", "handlers": ["out"]},
        }
    )
