"""Alerts and cases as people work on them; settings, exclusions, webhooks.

config     settings
delivery   webhooks: payload, queue, sender
domain     workflow of an alert, lag of a service; pure
grpc       queries, commands, live stream
kafka      topics into the tables
postgres   tables, audit log, filters
"""
