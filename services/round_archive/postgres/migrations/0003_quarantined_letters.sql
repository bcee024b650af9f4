-- Which tables are in quarantine is asked with every status, and hardly any letter tells of one.
CREATE INDEX dead_letters_of_quarantines ON dead_letters (table_id) WHERE code = 'quarantined';
