"""PostgreSQL by psycopg 3: a service owns one schema, and two roles own their work on it.

errors       what can go wrong, in words for whoever must mend it
connecting   addresses, limits of a session, waiting for the server
pools        pools of connections, async and not
asking       questions to the database, and plain words when it does not answer
roles        the migrating and the application role of a service
migrations   numbered SQL files that apply themselves, once, unchanged
readiness    whether the database can be worked with, without flapping
positions    how far a topic was read, in the transaction of what that did
"""
