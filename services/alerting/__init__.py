"""Alerts, their kinds and their settings, as values; pure.

alert          an alert with evidence, stable id and revision
display_names  kinds of alerts as people read them
kinds          every kind of alert: priority and meaning
office_facts   facts of the cage and the promotions desk, and rejected messages
settings       thresholds, priorities, suppressions with validity in time; exclusions
thresholds     every number a property may set, with default and bounds
"""
