-- An offset is that of a partition: the same table and id at the same offset of another partition is
-- another message. Rows of before have no partition on record; theirs is told apart by its number.
ALTER TABLE findings ADD COLUMN source_partition integer NOT NULL DEFAULT -1;
ALTER TABLE findings ALTER COLUMN source_partition DROP DEFAULT;
ALTER TABLE findings DROP CONSTRAINT findings_pkey;
ALTER TABLE findings ADD PRIMARY KEY (table_id, id, source_partition, source_offset);
