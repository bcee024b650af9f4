"""Decisions of the archive; pure.

differences    what two versions of a round differ in
fact_text      a sentence for every fact
money_text     chips, slips and boxes in words
replay         a round rebuilt from the log, with the table after every fact
search_terms   what a person remembers of a round, as numbers in one array
"""
