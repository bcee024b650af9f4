"""Commands for the accounting service.

arguments       days, amounts and chips as typed
cage_cli        count, fill, credit, redeem, entry, ...
client          the channel to accounting, and how an error ends a command
day             a gaming day: status, open items, close
day_cli         `pitctl day`
drill_down      `pitctl explain`
entry           one fact, entered
journal         `pitctl journal`
ledger          rejected postings, rebuild
ledger_cli      `pitctl ledger`
options         options that these commands share
plain_text      the journal for beancount and hledger
promotion_cli   `pitctl promotion` and `pitctl coupon`
promotions      promotions and coupons
report          `pitctl report` and `balances`
report_cli      report, explain, balances, journal
report_files    where a report is written
report_json     a report as JSON
report_table    a report on a terminal
room_cli        `pitctl room`
slip_cli        `pitctl slip`
status          how the books stand, for `pitctl status`
terms_file      promotion terms from a file
"""
