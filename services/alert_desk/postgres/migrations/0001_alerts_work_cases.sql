-- Times are microseconds since 1970, amounts are cents.
--
-- What is made of the topics alone: it can be emptied and made anew. -------------------------------

-- An alert as last said.
CREATE TABLE alerts (
    id text COLLATE "C" PRIMARY KEY,
    generation bigint NOT NULL,
    revision bigint NOT NULL,
    stands boolean NOT NULL,
    kind text COLLATE "C" NOT NULL,
    level smallint NOT NULL,
    label text COLLATE "C" NOT NULL,
    table_id text COLLATE "C" NOT NULL,
    round text COLLATE "C" NOT NULL,
    dealer text COLLATE "C" NOT NULL,
    patron text COLLATE "C" NOT NULL,
    coupon text COLLATE "C" NOT NULL,
    cents bigint NOT NULL,
    raised_at bigint NOT NULL,
    changed_at bigint NOT NULL,
    evidence_count bigint NOT NULL,
    tells_hole_card boolean NOT NULL,
    suppressed boolean NOT NULL,
    -- All that may be searched for, in small letters.
    words text COLLATE "C" NOT NULL,
    alert bytea NOT NULL
);

CREATE INDEX alerts_by_time ON alerts (raised_at, id);
CREATE INDEX alerts_by_change ON alerts (changed_at);
CREATE INDEX alerts_by_level ON alerts (level, raised_at) WHERE stands;
CREATE INDEX alerts_by_kind ON alerts (kind, raised_at);
CREATE INDEX alerts_by_table ON alerts (table_id, raised_at);
CREATE INDEX alerts_by_dealer ON alerts (dealer, raised_at);
CREATE INDEX alerts_by_patron ON alerts (patron, raised_at);

-- Every change of a setting, in the order of the topic.
CREATE TABLE setting_changes (
    "offset" bigint PRIMARY KEY,
    change_id text COLLATE "C" NOT NULL UNIQUE,
    what text COLLATE "C" NOT NULL,
    -- The threshold, kind, patron or suppression.
    about text COLLATE "C" NOT NULL,
    valid_from bigint NOT NULL,
    -- When it ends by its own term; null where it has none.
    valid_until bigint,
    change bytea NOT NULL
);

CREATE INDEX setting_changes_by_subject ON setting_changes (what, about, "offset");

-- Messages that no codec could read.
CREATE TABLE unreadable (
    topic text COLLATE "C" NOT NULL,
    partition integer NOT NULL,
    "offset" bigint NOT NULL,
    reason text COLLATE "C" NOT NULL,
    PRIMARY KEY (topic, partition, "offset")
);

-- Up to where the topics must be read before tables that were emptied are whole again.
CREATE TABLE rebuilds (
    topic text COLLATE "C" NOT NULL,
    partition integer NOT NULL,
    end_offset bigint NOT NULL,
    PRIMARY KEY (topic, partition)
);

-- What people did: nothing of it is ever changed or taken out. ------------------------------------

CREATE TABLE journal (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at bigint NOT NULL,
    author text COLLATE "C" NOT NULL,
    action text COLLATE "C" NOT NULL,
    alert_id text COLLATE "C" NOT NULL DEFAULT '',
    revision bigint NOT NULL DEFAULT 0,
    case_number bigint NOT NULL DEFAULT 0,
    text text COLLATE "C" NOT NULL DEFAULT '',
    state smallint NOT NULL DEFAULT 0,
    decision smallint NOT NULL DEFAULT 0,
    -- Made by whoever sent it: the same command twice is done once.
    command_id text COLLATE "C" UNIQUE
);

CREATE INDEX journal_by_alert ON journal (alert_id, number) WHERE alert_id <> '';
CREATE INDEX journal_by_case ON journal (case_number, number) WHERE case_number <> 0;

CREATE TABLE cases (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    title text COLLATE "C" NOT NULL,
    opened_at bigint NOT NULL,
    opened_by text COLLATE "C" NOT NULL
);

CREATE TABLE case_closings (
    case_number bigint PRIMARY KEY REFERENCES cases,
    closed_at bigint NOT NULL,
    closed_by text COLLATE "C" NOT NULL,
    countersigned_by text COLLATE "C" NOT NULL,
    outcome smallint NOT NULL,
    conclusion text COLLATE "C" NOT NULL
);

CREATE TABLE case_alerts (
    case_number bigint NOT NULL REFERENCES cases,
    ordinal bigint GENERATED ALWAYS AS IDENTITY,
    alert_id text COLLATE "C" NOT NULL,
    PRIMARY KEY (case_number, alert_id)
);

CREATE INDEX case_alerts_by_alert ON case_alerts (alert_id);

CREATE TABLE case_people (
    case_number bigint NOT NULL REFERENCES cases,
    ordinal bigint GENERATED ALWAYS AS IDENTITY,
    role text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    words text COLLATE "C" NOT NULL,
    PRIMARY KEY (case_number, role, name)
);

CREATE TABLE holds (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    case_number bigint NOT NULL REFERENCES cases,
    table_id text COLLATE "C" NOT NULL,
    begins_at bigint NOT NULL,
    ends_at bigint NOT NULL,
    alert_id text COLLATE "C" NOT NULL,
    reason text COLLATE "C" NOT NULL,
    held_by text COLLATE "C" NOT NULL,
    held_at bigint NOT NULL,
    video_until bigint NOT NULL
);

CREATE INDEX holds_by_case ON holds (case_number, number);
CREATE INDEX holds_by_alert ON holds (alert_id) WHERE alert_id <> '';

CREATE TABLE hold_releases (
    hold bigint PRIMARY KEY REFERENCES holds,
    released_by text COLLATE "C" NOT NULL,
    released_at bigint NOT NULL,
    reason text COLLATE "C" NOT NULL
);

CREATE TABLE deadlines (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    case_number bigint NOT NULL REFERENCES cases,
    words text COLLATE "C" NOT NULL,
    rule smallint NOT NULL,
    begins_at bigint NOT NULL,
    due_at bigint NOT NULL
);

CREATE INDEX deadlines_by_case ON deadlines (case_number, number);
CREATE INDEX deadlines_by_time ON deadlines (due_at);

CREATE TABLE deadlines_met (
    deadline bigint PRIMARY KEY REFERENCES deadlines,
    met_by text COLLATE "C" NOT NULL,
    met_at bigint NOT NULL,
    words text COLLATE "C" NOT NULL
);

-- What the journal comes to for each alert, so that it is found fast. No row: nobody did anything.
CREATE TABLE work (
    alert_id text COLLATE "C" PRIMARY KEY,
    state smallint NOT NULL DEFAULT 1,
    decision smallint NOT NULL DEFAULT 0,
    reason text COLLATE "C" NOT NULL DEFAULT '',
    assignee text COLLATE "C" NOT NULL DEFAULT '',
    changed_by text COLLATE "C" NOT NULL DEFAULT '',
    changed_at bigint NOT NULL DEFAULT 0,
    -- The alert as it was when it was decided: what is more than this makes it new again.
    decided_generation bigint NOT NULL DEFAULT 0,
    decided_revision bigint NOT NULL DEFAULT 0,
    decided_evidence bigint NOT NULL DEFAULT 0,
    decided_level smallint NOT NULL DEFAULT 0,
    reopened integer NOT NULL DEFAULT 0
);

CREATE INDEX work_by_state ON work (state);
CREATE INDEX work_by_assignee ON work (assignee) WHERE assignee <> '';

-- Whom alerts are told over HTTP. -----------------------------------------------------------------

CREATE TABLE webhooks (
    name text COLLATE "C" PRIMARY KEY,
    url text COLLATE "C" NOT NULL,
    level smallint NOT NULL,
    kinds text[] COLLATE "C" NOT NULL,
    paused boolean NOT NULL,
    secret text COLLATE "C" NOT NULL,
    set_by text COLLATE "C" NOT NULL,
    set_at bigint NOT NULL
);

-- A message for a webhook: it waits until `due_at`, and is done when it is delivered or given up.
CREATE TABLE deliveries (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    webhook text COLLATE "C" NOT NULL REFERENCES webhooks ON DELETE CASCADE,
    alert_id text COLLATE "C" NOT NULL,
    event text COLLATE "C" NOT NULL,
    generation bigint NOT NULL,
    revision bigint NOT NULL,
    body bytea NOT NULL,
    queued_at bigint NOT NULL,
    due_at bigint NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    delivered_at bigint,
    given_up_at bigint,
    trouble text COLLATE "C" NOT NULL DEFAULT '',
    -- The same is never said twice, also not when the topics are read again.
    UNIQUE (webhook, alert_id, event, generation, revision)
);

CREATE INDEX deliveries_due ON deliveries (due_at) WHERE delivered_at IS NULL AND given_up_at IS NULL;

DO $$
DECLARE
    application name := current_schema() || '_application';
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = application) THEN
        EXECUTE format('GRANT UPDATE ON alerts, work, webhooks, deliveries TO %I', application);
        EXECUTE format('GRANT DELETE ON webhooks, deliveries TO %I', application);
        EXECUTE format(
            'GRANT TRUNCATE ON alerts, setting_changes, unreadable, rebuilds TO %I', application);
    END IF;
END
$$;
