"""Alert webhooks.

payload   the body of a message, and which webhooks get it
queue     messages that wait, sent until they are accepted or given up
sender    one signed HTTP request and its result
"""
