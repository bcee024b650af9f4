"""Commands for the accounting service.

cage_cli        count, fill, credit, redeem, entry, ...
client          the client of accounting
day             a gaming day: status, open items, close
day_cli         `pitctl day`
drill_down      `pitctl explain`
entry           recording of one entry
journal         `pitctl journal`
ledger          rejected postings, rebuild
ledger_cli      `pitctl ledger`
options         options that these commands share
plain_text      the journal for beancount and hledger
promotion_cli   `pitctl promotion` and `pitctl coupon`
promotions      promotions and coupons
report          `pitctl report` and `balances`
report_cli      report, explain, balances, journal
report_json     a report as JSON
report_table    a report on a terminal
room_cli        `pitctl room`
slip_cli        `pitctl slip`
status          the status of accounting, for `pitctl status`
terms_file      promotion terms from a file
"""
