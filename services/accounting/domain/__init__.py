"""Decisions of accounting; pure.

cage         entries of the cage, the count room and accountants
cash         money that a table reports beside its rounds
checks       what a person should look at before signing
count_team   who may count the drop
coupons      coupons from issue to end
entry        transfers that belong to one fact, dated to a gaming day
reports      every report, and the figures it is made of
rounds       a settled round: what every wager changes on the accounts
"""
