-- The wagers of a round are found by the number of its first event, which few other rounds have: a key
-- of eight bytes costs half of what names of table and round did, for every wager that is posted.
CREATE INDEX wagers_by_opening ON wagers (opening_seq);
DROP INDEX wagers_by_round;
