"""Findings, rounds and what offices enter, to alerts that a person can act on.

domain      what is decided: pure folds that a test calls without a broker
"""
