import os

MODE = os.environ.get("LINTPICKLE_MODE", "slow")
