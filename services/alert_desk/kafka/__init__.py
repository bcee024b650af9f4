"""Topics into the tables.

decoder      bytes to rows
lag_alert    the alert about the lag of surveillance
projection   changes of the tables, batch by batch
"""
