"""What an accountant types: reports, the journal, gaming days, cage, count room, promotions.

asking       the way to the accounting service, and how a refusal ends a command
typed        days, amounts and chips as they are typed
cells        a cell of a report as each form writes it
report_*     a report as a table, a spreadsheet, a document to sign, a JSON object
journal      entries, and plain-text accounting made of them
recording    one fact of the cage or of the promotions desk, entered
*_cli        the commands and their help
"""
