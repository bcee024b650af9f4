"""`pitctl`: the command line for operators, auditors and developers.

accounting   reports, journal, gaming days, cage, promotions
alert_desk   alerts, cases, exclusions, settings, webhooks
archive      replay, rounds, tail, dead letters, rebuild
cli          all commands
connection   channels, options, errors of a call
engine       settle, audit and replay files with no service
odds         games, certificates, odds
output       text, JSON, tables, hands, progress
stack        the local stack, status, simulation
"""
