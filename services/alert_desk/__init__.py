"""Whoever works with alerts works here: what surveillance said, and what people do about it.

projection     what each message of the topics becomes in the database
entries        bytes of a topic to rows
domain         how an alert goes from new to closed; pure
journal        who did what when: appended, never changed
working        alerts acknowledged, looked into, decided, given to somebody, noted on
cases          cases opened, added to, held evidence for, given deadlines, closed
case_reading   cases as they stand
alerts         questions about alerts; criteria: what may be asked for
replaying      the round that shows an alert, asked of the archive
masking        what would give away a hole card
watching       alerts and the journal as they come
settings       exclusions, thresholds, levels, suppressions: checked, appended to their topic
settings_reading   what is set now, and every change
webhooks       whom alerts are told; messages: what they are told; delivering: until they have it
status         how things stand; counting: what accounting asks before it closes a day
lag_alert      the desk's own alert: surveillance is behind
rebuilding     the tables made of the topics emptied and made anew
api            the gRPC service
"""
