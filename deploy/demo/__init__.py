"""`make demo`: a gaming day through the whole stack, what was found in it, and its books.

runs        each run has a floor of its own, so that it is judged by itself
offices     what the promotions desk, the cage and the count room enter
logged      what the stack has made of the day, as its topics have it
archived    when the archive knows of it
disputes    which hand of the day is worth looking at
money       what was planted in money, and where the books must show it
reconciled  the reconciliation, and what was planted held against it
in_books    what else was planted for the books, and what they say of it
page        planted against found, for people
books_page  the reconciliation and every planted cent, for people
"""
