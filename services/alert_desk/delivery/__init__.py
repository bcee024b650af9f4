"""Alert webhooks.

payload   what a webhook is sent, and for which alerts
queue     messages that wait, sent until they are accepted or given up
sender    one signed HTTP request and its result
"""
