"""Decisions of surveillance; pure.

alarm_text       headline and detail of a statistical alert
alert_kinds      which findings make which kind of alert
days             what is judged by gaming day
detection        one more sighting of a subject: its new state, the alerts that changed
detector         what a detector is: a fold with a verdict
detectors        one a file
event_routing    a table event to its subjects
facts            what routing accepts besides events
moments          when an event was received
phrases          phrases that headlines share
registry         all detectors
round_routing    a settled round to its subjects
routing          any fact to its subjects
sessions         what happened close together
sightings        what is kept of a fact for a subject
slip_numbers     numbers and series of slips
spans            arithmetic of time spans
statistics       e-processes of results, bets, decisions and payments
subjects         what state is kept about
table_activity   that a table spoke from here to there
table_stays      stays at a table, joined where they touch
"""
