LIMITS = {"rows": 10, "columns": 5}
