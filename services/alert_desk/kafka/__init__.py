"""Topics into the tables.

decoder      bytes to rows
lag_alert    the alert that surveillance is behind
projection   what each message changes, batch by batch
"""
