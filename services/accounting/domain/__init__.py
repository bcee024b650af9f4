"""What accounting decides: pure, no input or output, no clock, no protobuf.

rounds       a settled round: what every wager changes on the accounts
cash         what a table reports of money beside its rounds
cage         what cage, count room and accountants enter
coupons      what the promotions desk enters, and what becomes of coupons
checks       what a person should look at: signers, differences, gaps in series
"""
