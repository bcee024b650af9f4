"""`pitctl`: the command line for operators, auditors and developers.

accounting   reports, journal, gaming days, cage, promotions
alert_desk   alerts, cases, exclusions, settings, webhooks
archive      replay, rounds, tail, dead letters, rebuild
arguments    days, times, amounts and chips as typed
cli          all commands
connection   clients of services, and the options of their commands
engine       settle, audit and replay files with no service
errors       why a command ends without its result
odds         games, certificates, odds
output       text, JSON, tables, hands, files, progress, exit statuses
stack        the local stack, status, simulation
"""
