-- The index of what settlement said. Every row is made of messages of the topics alone, so that all
-- of it can be emptied and made anew; times are microseconds since 1970, amounts are cents.

-- A round in the version in force. A table may use an id again: `opening_seq`, the number of the
-- round's first event as it was first said, tells those rounds apart.
CREATE TABLE rounds (
    table_id text COLLATE "C" NOT NULL,
    round text COLLATE "C" NOT NULL,
    opening_seq bigint NOT NULL,
    version integer NOT NULL,
    status smallint NOT NULL,
    game text COLLATE "C" NOT NULL,
    dealer text COLLATE "C" NOT NULL,
    opened_at bigint NOT NULL,
    closed_at bigint NOT NULL,
    first_seq bigint NOT NULL,
    last_seq bigint NOT NULL,
    wager_count integer NOT NULL,
    stake_cents bigint NOT NULL,
    owed_cents bigint NOT NULL,
    paid_cents bigint NOT NULL,
    difference_cents bigint NOT NULL,
    greatest_stake_cents bigint NOT NULL,
    -- Seats with a wager, cards of hands, pairs of cards that one hand held: see marks.py.
    marks integer[] NOT NULL,
    -- Patrons and wagers by name.
    names text[] COLLATE "C" NOT NULL,
    hands jsonb NOT NULL,
    wagers jsonb NOT NULL,
    -- Findings name the id alone: those proved by events from `since_seq` to before `until_seq`
    -- are this round's.
    since_seq bigint NOT NULL,
    until_seq bigint,
    -- Where in table-events the event stands with which the round was first settled.
    source_partition integer,
    source_offset bigint,
    -- Of its findings in force: the kinds, and the most urgent level; 0 where there is none.
    kinds text[] COLLATE "C" NOT NULL DEFAULT '{}',
    level smallint NOT NULL DEFAULT 0,
    PRIMARY KEY (table_id, round, opening_seq)
);

CREATE INDEX rounds_by_time ON rounds (opened_at, table_id, round, opening_seq);
CREATE INDEX rounds_by_table ON rounds (table_id, opened_at);
CREATE INDEX rounds_by_stream ON rounds (table_id, opening_seq);
CREATE INDEX rounds_by_id ON rounds (round, opened_at);
CREATE INDEX rounds_by_dealer ON rounds (dealer, opened_at);
CREATE INDEX rounds_by_game ON rounds (game, opened_at);
CREATE INDEX rounds_by_status ON rounds (status, opened_at);
CREATE INDEX rounds_by_stake ON rounds (greatest_stake_cents);
CREATE INDEX rounds_by_level ON rounds (level, opened_at) WHERE level > 0;
CREATE INDEX rounds_by_kinds ON rounds USING gin (kinds);
CREATE INDEX rounds_by_marks ON rounds USING gin (marks);
CREATE INDEX rounds_by_names ON rounds USING gin (names);

-- There are 52 cards and about 1,400 pairs: enough statistics to tell a rare one from a usual one.
ALTER TABLE rounds ALTER COLUMN marks SET STATISTICS 300;
ALTER TABLE rounds ALTER COLUMN names SET STATISTICS 300;

-- Every version as it was said. Two rows of one version differ in their bytes, which must not be:
-- the one that came first counts.
CREATE TABLE round_versions (
    table_id text COLLATE "C" NOT NULL,
    round text COLLATE "C" NOT NULL,
    opening_seq bigint NOT NULL,
    version integer NOT NULL,
    digest bytea NOT NULL,
    counts boolean NOT NULL,
    value bytea NOT NULL,
    -- Which event made it; left out where a published definition did.
    source_partition integer,
    source_offset bigint,
    PRIMARY KEY (table_id, round, opening_seq, version, digest)
);

-- A finding as last said, by the event that proves it. Ids are made of the round's id, so where a
-- table uses that again, an id comes again with another event.
CREATE TABLE findings (
    table_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    level smallint NOT NULL,
    at bigint NOT NULL,
    round text COLLATE "C" NOT NULL,
    patron text COLLATE "C" NOT NULL,
    dealer text COLLATE "C" NOT NULL,
    tells_hole_card boolean NOT NULL,
    finding bytea NOT NULL,
    withdrawal bytea,
    source_offset bigint,
    PRIMARY KEY (table_id, id, seq)
);

CREATE INDEX findings_by_time ON findings (at, table_id, id, seq);
CREATE INDEX findings_by_round ON findings (table_id, round, seq);
CREATE INDEX findings_by_table ON findings (table_id, at);
CREATE INDEX findings_by_kind ON findings (kind, at);
CREATE INDEX findings_by_level ON findings (level, at);
CREATE INDEX findings_by_patron ON findings (patron, at);
CREATE INDEX findings_by_dealer ON findings (dealer, at);

CREATE TABLE dead_letters (
    partition integer NOT NULL,
    "offset" bigint NOT NULL,
    at bigint NOT NULL,
    table_id text COLLATE "C" NOT NULL,
    code text COLLATE "C" NOT NULL,
    reason text COLLATE "C" NOT NULL,
    peer text COLLATE "C" NOT NULL,
    source text COLLATE "C" NOT NULL,
    value bytea NOT NULL,
    PRIMARY KEY (partition, "offset")
);

CREATE INDEX dead_letters_by_time ON dead_letters (at, partition, "offset");
CREATE INDEX dead_letters_by_table ON dead_letters (table_id, at);
CREATE INDEX dead_letters_by_reason ON dead_letters (reason, at);

-- How many there are: rounds by table, findings ever said by kind, dead letters. Counting a million
-- rows takes its time.
CREATE TABLE counts (
    what text COLLATE "C" NOT NULL,
    of text COLLATE "C" NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (what, of)
);

-- Events of tables that define a rule set or the terms of a promotion: a replay starts in the middle
-- of the table's stream, and they came before.
CREATE TABLE definitions (
    table_id text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL CHECK (kind IN ('rule set', 'promotion')),
    name text COLLATE "C" NOT NULL,
    source_partition integer NOT NULL,
    source_offset bigint NOT NULL,
    event bytea NOT NULL,
    PRIMARY KEY (table_id, kind, name, source_offset)
);

-- Up to where the topics must be read before an index that was emptied is whole again.
CREATE TABLE rebuilds (
    topic text COLLATE "C" NOT NULL,
    partition integer NOT NULL,
    end_offset bigint NOT NULL,
    PRIMARY KEY (topic, partition)
);

DO $$
DECLARE
    application name := current_schema() || '_application';
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = application) THEN
        EXECUTE format('GRANT UPDATE ON rounds, findings, counts, rebuilds TO %I', application);
        EXECUTE format(
            'GRANT TRUNCATE ON rounds, round_versions, findings, dead_letters, counts,'
            ' definitions, rebuilds TO %I', application);
    END IF;
END
$$;
