"""A report of accounting as people and their programs take it: cells, a spreadsheet, paper.

The same for the command line and for the pages in a browser.
"""
