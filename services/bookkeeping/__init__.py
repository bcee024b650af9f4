"""Money, accounts and balanced entries; pure.

The ledger is a list of transfers. A transfer debits one account and credits another by the same
amount, so it balances by its shape, and so does whatever is made of transfers. Amounts are
integer cents of one currency.

accounts     the chart of accounts, and the code of each
transfers    from changes of accounts to transfers
errors       errors of entries that cannot be posted
"""
