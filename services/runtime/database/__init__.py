"""PostgreSQL by psycopg 3: a service owns one schema; one role migrates, another works.

column_values   values of messages as columns hold them
connection      addresses, session limits, waiting for the server
errors          what can go wrong
migrations      numbered SQL files, applied once
pools           pools of connections
positions       how far a topic was read, in the transaction of its effects
query           a connection for one query
read_logs       which logs a consumer has read
readiness       whether the database can be used, without flapping
rebuild         projected tables emptied, and their progress since
roles           the two roles
"""
