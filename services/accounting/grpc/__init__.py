"""The gRPC service: access, queries, commands.

access               rights per RPC
cage_commands        entries of the cage, the count room and accountants
command_handler      shared parts of commands: checks, ids, authors
commands             validate, append to the log, wait until posted, answer
count_file           a count room's CSV file
count_import         boxes from such a file, accepted or rejected line by line
day_close            the gaming day: status and close
day_range            gaming days in a request
drill_down           from an amount to its facts or parts
errors               errors and their status codes
promotion_commands   entries of the promotions desk
promotions           promotions and coupons: queries and expiry
queries              reports, entries, balances
rejections           messages and commands that were not posted
report_codec         reports to protobuf, drill-down tokens
round_client         rounds of a drill-down, from the round archive
service              the servicer
status               lag and size of the ledger
text_limits          lengths of text fields
"""
