-- A correction moves chips on its own day, and changes what its round won on the round's day: it is
-- looked for on both. Those that were read before this migration are found when the ledger is made
-- anew.
CREATE INDEX cash_corrections ON cash (gaming_day, table_id) WHERE kind = 'correction';
