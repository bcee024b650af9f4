"""Money, accounts and balanced entries; pure.

The ledger is a list of transfers. A transfer debits one account and credits another by the same
amount, so it balances by its shape, and so does whatever is made of transfers. Amounts are
integer cents of one currency.

accounts     the chart of accounts: what there is an account of, and its code
transfers    from what changed on each account to the transfers that say so
errors       what cannot be booked
"""
