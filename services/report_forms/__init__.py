"""The forms of an accounting report: cells, CSV, PDF; and open items of a gaming day in words.

The command line and the console share them.
"""
