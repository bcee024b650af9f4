-- How far a topic had been read when the tables were emptied: what lies before was news once, and
-- webhooks are not told of it again.
ALTER TABLE rebuilds ADD COLUMN read_offset bigint NOT NULL DEFAULT 0;
