-- An offset is that of a partition: the same definition at the same offset of another partition is
-- another message.
ALTER TABLE definitions DROP CONSTRAINT definitions_pkey;
ALTER TABLE definitions ADD PRIMARY KEY (table_id, kind, name, source_partition, source_offset);
