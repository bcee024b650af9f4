"""The gRPC service: access, queries, commands, streams.

access             rights per RPC
alert_commands     acknowledge, review, decide, reopen, assign, note
alert_queries      alerts
alert_stream       live alerts and activity
case_commands      open, add, hold evidence, set deadlines, close
case_queries       cases
deadlines          regulatory deadlines
errors             errors and their status codes
masking            hides what would reveal a hole card
replay_client      the round behind an alert, from the round archive
service            the servicer
setting_checks     validation of a setting, alone and with the others
setting_commands   exclusions, thresholds, priorities, suppressions
setting_queries    settings in force, and their history
status             lag of the tables, and open alerts of a day
video_retention    how long video exists unless it is held
webhook_commands   set, list, remove and test webhooks
"""
