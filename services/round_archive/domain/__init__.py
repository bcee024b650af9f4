"""Decisions of the round archive; pure.

differences    differences of two versions of a round
fact_text      a sentence for every fact
money_text     sentences for chips, slips and drop boxes
replay         a round rebuilt from the log, with the table after every fact
search_terms   seats and cards of a round, as numbers in one array
"""
