-- The ledger. Every row is made of messages of the topics alone, so that all of it can be made anew;
-- the application role may add rows and change none. Times are microseconds since 1970, amounts are
-- cents, a gaming day is a date.

-- Accounts, by a number made from their code.
CREATE TABLE accounts (
    id bigint PRIMARY KEY,
    code text COLLATE "C" NOT NULL UNIQUE,
    class text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    table_id text COLLATE "C" NOT NULL,
    game text COLLATE "C" NOT NULL,
    wager text COLLATE "C" NOT NULL,
    promotion text COLLATE "C" NOT NULL
);

-- Why transfers were made: one row for each fact that moves money.
CREATE TABLE entries (
    gaming_day date NOT NULL,
    id uuid NOT NULL,
    kind text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    table_id text COLLATE "C" NOT NULL,
    round text COLLATE "C" NOT NULL,
    version integer NOT NULL,
    seq bigint NOT NULL,
    author text COLLATE "C" NOT NULL,
    reason text COLLATE "C" NOT NULL,
    source_topic text COLLATE "C" NOT NULL,
    source_partition integer NOT NULL,
    source_offset bigint NOT NULL,
    PRIMARY KEY (gaming_day, id)
) PARTITION BY LIST (gaming_day);

CREATE INDEX entries_by_table ON entries (table_id, at);

-- The transfers. Each debits one account and credits another by the same amount: the ledger balances
-- by its shape, and the constraints let nothing in that has no such shape.
CREATE TABLE transfers (
    gaming_day date NOT NULL,
    entry_id uuid NOT NULL,
    line smallint NOT NULL CHECK (line > 0),
    debit bigint NOT NULL,
    credit bigint NOT NULL,
    cents bigint NOT NULL CHECK (cents > 0 AND cents <= 1000000000000000),
    CHECK (debit <> credit),
    PRIMARY KEY (gaming_day, entry_id, line)
) PARTITION BY LIST (gaming_day);

-- Every wager of every version of a round, as it was settled. A version that supersedes another
-- takes its wagers back (sign -1) and adds its own (sign 1), so that every figure is a sum.
CREATE TABLE wagers (
    gaming_day date NOT NULL,
    table_id text COLLATE "C" NOT NULL,
    round text COLLATE "C" NOT NULL,
    opening_seq bigint NOT NULL,
    version integer NOT NULL,
    sign smallint NOT NULL CHECK (sign IN (-1, 1)),
    seat integer NOT NULL,
    hand integer NOT NULL,
    wager text COLLATE "C" NOT NULL,
    tip boolean NOT NULL,
    patron text COLLATE "C" NOT NULL,
    result text COLLATE "C" NOT NULL,
    payment text COLLATE "C" NOT NULL,
    stake bigint NOT NULL,
    placed bigint NOT NULL,
    owed bigint NOT NULL,
    least bigint NOT NULL,
    most bigint NOT NULL,
    taken bigint NOT NULL,
    paid bigint NOT NULL,
    collected bigint NOT NULL,
    difference bigint NOT NULL,
    coupon text COLLATE "C" NOT NULL,
    promotion text COLLATE "C" NOT NULL,
    coupon_face bigint NOT NULL,
    coupon_owed bigint NOT NULL,
    coupon_spent boolean NOT NULL
) PARTITION BY LIST (gaming_day);

CREATE INDEX wagers_by_round ON wagers (table_id, round, opening_seq);
CREATE INDEX wagers_by_error ON wagers (table_id) WHERE difference <> 0;
CREATE INDEX wagers_by_coupon ON wagers (coupon) WHERE coupon <> '';

-- Every version of a round that was posted, once: the arbiter of what counts. `takes_back` is the
-- version whose wagers it takes back; 0 for none.
CREATE TABLE rounds (
    table_id text COLLATE "C" NOT NULL,
    round text COLLATE "C" NOT NULL,
    opening_seq bigint NOT NULL,
    version integer NOT NULL,
    digest bytea NOT NULL,
    takes_back integer NOT NULL,
    gaming_day date NOT NULL,
    status text COLLATE "C" NOT NULL,
    game text COLLATE "C" NOT NULL,
    rule_set text COLLATE "C" NOT NULL,
    dealer text COLLATE "C" NOT NULL,
    supervisor text COLLATE "C" NOT NULL,
    opened_at bigint NOT NULL,
    source_partition integer NOT NULL,
    source_offset bigint NOT NULL,
    PRIMARY KEY (table_id, round, opening_seq, version)
);

CREATE INDEX rounds_by_day ON rounds (gaming_day, table_id);

-- What tables report of money beside their rounds: each event once.
CREATE TABLE cash (
    table_id text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    gaming_day date NOT NULL,
    at bigint NOT NULL,
    cents bigint NOT NULL,
    tender text COLLATE "C" NOT NULL,
    patron text COLLATE "C" NOT NULL,
    seat integer NOT NULL,
    -- The number of a slip or a box, or a coupon's serial.
    name text COLLATE "C" NOT NULL,
    signers text[] COLLATE "C" NOT NULL,
    -- Pairs of denomination and count.
    inventory bigint[] NOT NULL,
    source_partition integer NOT NULL,
    source_offset bigint NOT NULL,
    PRIMARY KEY (table_id, seq)
);

CREATE INDEX cash_by_day ON cash (gaming_day, table_id);
CREATE INDEX cash_by_patron ON cash (patron, at) WHERE patron <> '';
CREATE INDEX cash_by_name ON cash (name) WHERE name <> '';

-- What the cage, the count room and accountants entered and was posted.
CREATE TABLE cage (
    event_id text COLLATE "C" PRIMARY KEY,
    kind text COLLATE "C" NOT NULL,
    gaming_day date NOT NULL,
    at bigint NOT NULL,
    recorded_at bigint NOT NULL,
    author text COLLATE "C" NOT NULL,
    table_id text COLLATE "C" NOT NULL,
    cents bigint NOT NULL,
    patron text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    signers text[] COLLATE "C" NOT NULL,
    -- The CageEvent itself.
    value bytea NOT NULL,
    source_offset bigint NOT NULL UNIQUE
);

CREATE INDEX cage_by_day ON cage (gaming_day, kind, table_id);
CREATE INDEX cage_by_patron ON cage (patron, at) WHERE patron <> '';
CREATE INDEX cage_by_name ON cage (name) WHERE name <> '';

-- What was in each box, by kind ("currency", "debit", "chips", "coupons") and denomination.
-- A recount takes the count back (sign -1) and adds its own.
CREATE TABLE drop_counts (
    event_id text COLLATE "C" NOT NULL,
    gaming_day date NOT NULL,
    table_id text COLLATE "C" NOT NULL,
    box text COLLATE "C" NOT NULL,
    sign smallint NOT NULL CHECK (sign IN (-1, 1)),
    kind text COLLATE "C" NOT NULL,
    denomination bigint NOT NULL,
    count bigint NOT NULL
);

CREATE INDEX drop_counts_by_day ON drop_counts (gaming_day, table_id);

-- Days that were closed, and how far each topic had been read then: {"topic/partition": offset}.
-- What was read later is an adjustment.
CREATE TABLE closed_days (
    gaming_day date PRIMARY KEY,
    event_id text COLLATE "C" NOT NULL,
    closed_by text COLLATE "C" NOT NULL,
    closed_at bigint NOT NULL,
    positions jsonb NOT NULL
);

-- Terms of promotions, from the desk or from a table: the same name, the same terms.
CREATE TABLE promotions (
    promotion text COLLATE "C" PRIMARY KEY,
    terms bytea NOT NULL
);

-- What the promotions desk entered and was posted.
CREATE TABLE desk (
    event_id text COLLATE "C" PRIMARY KEY,
    kind text COLLATE "C" NOT NULL,
    gaming_day date NOT NULL,
    at bigint NOT NULL,
    author text COLLATE "C" NOT NULL,
    value bytea NOT NULL,
    source_offset bigint NOT NULL UNIQUE
);

-- Every coupon that was issued.
CREATE TABLE coupons (
    serial text COLLATE "C" PRIMARY KEY,
    promotion text COLLATE "C" NOT NULL,
    patron text COLLATE "C" NOT NULL,
    face bigint NOT NULL,
    issued_at bigint NOT NULL,
    gaming_day date NOT NULL,
    -- 0 for as the terms say.
    expires_at bigint NOT NULL,
    event_id text COLLATE "C" NOT NULL
);

CREATE INDEX coupons_by_promotion ON coupons (promotion, gaming_day);

-- How coupons ended by the desk: "voided", "expired" or "redeemed". At tables they end in `wagers`.
CREATE TABLE coupon_ends (
    serial text COLLATE "C" PRIMARY KEY,
    what text COLLATE "C" NOT NULL,
    promotion text COLLATE "C" NOT NULL,
    face bigint NOT NULL,
    at bigint NOT NULL,
    gaming_day date NOT NULL,
    table_id text COLLATE "C" NOT NULL,
    patron text COLLATE "C" NOT NULL,
    paid bigint NOT NULL,
    reason text COLLATE "C" NOT NULL,
    event_id text COLLATE "C" NOT NULL
);

-- Rule sets that tables play by, as defined in their events or in the catalogue.
CREATE TABLE rule_sets (
    rule_set text COLLATE "C" PRIMARY KEY,
    definition bytea NOT NULL
);

-- What settlement found about money, each as often as it was said; and what it took back.
CREATE TABLE findings (
    table_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    -- Its place in the findings of its table: a withdrawal takes back what was said before it.
    source_offset bigint NOT NULL,
    is_withdrawal boolean NOT NULL,
    gaming_day date,
    kind text COLLATE "C" NOT NULL,
    level smallint NOT NULL,
    at bigint NOT NULL,
    round text COLLATE "C" NOT NULL,
    cents bigint NOT NULL,
    text text COLLATE "C" NOT NULL,
    PRIMARY KEY (table_id, id, source_offset)
);

CREATE INDEX findings_by_day ON findings (gaming_day, table_id);

-- Messages that were not posted, and why.
CREATE TABLE refusals (
    topic text COLLATE "C" NOT NULL,
    partition integer NOT NULL,
    "offset" bigint NOT NULL,
    at bigint NOT NULL,
    code text COLLATE "C" NOT NULL,
    reason text COLLATE "C" NOT NULL,
    author text COLLATE "C" NOT NULL,
    PRIMARY KEY (topic, partition, "offset")
);

-- Partitions are made when a day has its first row, by the role that owns the tables.
CREATE FUNCTION open_days(days date[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    day date;
    name text;
BEGIN
    FOREACH day IN ARRAY days LOOP
        FOREACH name IN ARRAY ARRAY['entries', 'transfers', 'wagers'] LOOP
            EXECUTE format(
                'CREATE TABLE IF NOT EXISTS %I PARTITION OF %I FOR VALUES IN (%L)',
                name || '_' || to_char(day, 'YYYYMMDD'), name, day
            );
        END LOOP;
    END LOOP;
END
$$;
REVOKE ALL ON FUNCTION open_days FROM PUBLIC;

DO $$
DECLARE
    application name := current_schema() || '_application';
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = application) THEN
        EXECUTE format('GRANT EXECUTE ON FUNCTION open_days TO %I', application);
    END IF;
END
$$;
