"""`make demo`: a gaming day through the whole stack, and what was found in it.

runs        each run has a floor of its own, so that it is judged by itself
logged      what the stack has made of the day, as its topics have it
archived    when the archive knows of it
disputes    which hand of the day is worth looking at
page        planted against found, for people
"""
