"""Findings, rounds and what offices enter, to alerts that a person can act on.

domain      what is decided: pure folds that a test calls without a broker
sieve       what tables report, without their cards, to sightings
sorting     what is said and entered, to sightings: a Faust agent for each topic
watching    sightings to alerts: a Faust agent with a state for each subject
states      those states: a Faust table that is never ahead of its changelog
streams     Faust as it is told to work, and `transport` where that is not enough
rebuilding  all of it made anew
"""
