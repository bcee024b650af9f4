"""`make demo`: a gaming day through the whole stack, its findings, and its books.

runs        each run has a floor of its own, so that it is judged by itself
offices     the entries of the promotions desk, the cage and the count team
logged      progress and results of the stack, read from its topics
archived    waits until the archive has indexed the day
disputes    the choice of a disputed hand to replay
money       planted losses, and where the books must show them
reconciled  the reconciliation, compared with the planted losses
in_books    other planted faults that only the books can show
page        prints planted faults against findings
books_page  prints the reconciliation and every planted cent
"""
