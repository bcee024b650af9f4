"""Rounds and cash into an immutable ledger, the gaming day, promotions, and their reports.

domain        what each fact changes on the accounts, what a person should look at; pure
gaming_day    the calendar of the property
reading       bytes of the topics to values of the domain
posting       the topics into the ledger, each message once, by one instance at a time
rows          what a batch adds to the tables
commands      what is entered: checked, appended, posted, answered
offices       where facts are entered: the cage and the promotions desk
closing       the gaming day: how it stands, and its end
importing     counts from a count room's file
asking        reports, entries and balances; behind: what a figure is made of
promotions    terms and coupons, from issue to end
rebuilding    the ledger emptied and made anew
api           the gRPC service
"""
