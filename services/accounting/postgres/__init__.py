"""Tables of the ledger.

batch_writer    rows of a batch, copied in together
close_checks    status of a gaming day, and its open items
entry_lookup    the entry or the rejection of one message
migrations      numbered SQL files
rebuild         empty the ledger and post it again from the topics
report_inputs   sums over facts for reports, and the facts behind a sum
room_profiles   profiles of the room, by gaming day
theory          exact expectation of wagers and coupons, computed once
"""
