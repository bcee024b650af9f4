"""Tables of the alert desk.

alert_filters   conditions on alerts that indexes answer
alert_work      status, assignee and decision of each alert
audit_log       who did what, append-only
migrations      numbered SQL files
rebuild         empty the projected tables and fill them again from the topics
"""
