"""Decisions of accounting; pure.

cage         entries of the cage, the count room and accountants
cash         cash facts of a table, outside its rounds
checks       remarks for a person to review before signing
count_team   who may count the drop
coupons      coupons from issue to end
entry        transfers that belong to one fact, dated to a gaming day
reports      every report, and its inputs
rounds       the changes of a settled round on the accounts, wager by wager
"""
