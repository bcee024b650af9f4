-- Who may come in, as what; who is in; who tried; and what everybody changed.

CREATE TABLE people (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE CHECK (name ~ '^[a-z][a-z0-9._-]{1,31}$'),
    full_name text NOT NULL CHECK (length(full_name) BETWEEN 1 AND 80),
    roles text[] NOT NULL CHECK (
        roles <@ ARRAY['surveillance', 'accounting', 'pit', 'cage', 'auditor', 'administrator']
    ),
    password_hash text NOT NULL,
    -- Whether the password is good for one thing only: to choose another.
    one_time boolean NOT NULL,
    disabled boolean NOT NULL DEFAULT false,
    made_at timestamptz NOT NULL DEFAULT now()
);

-- The cookie itself is nowhere but in the browser.
CREATE TABLE sessions (
    token_digest bytea PRIMARY KEY CHECK (length(token_digest) = 32),
    person bigint NOT NULL REFERENCES people,
    address text NOT NULL,
    begun_at timestamptz NOT NULL,
    seen_at timestamptz NOT NULL
);
CREATE INDEX ON sessions (person);

CREATE TABLE sign_ins (
    at timestamptz NOT NULL,
    name text NOT NULL,
    address text NOT NULL,
    let_in boolean NOT NULL
);
CREATE INDEX ON sign_ins (at);

CREATE TABLE changes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now(),
    person text NOT NULL,
    address text NOT NULL,
    what text NOT NULL,
    subject text NOT NULL,
    words text NOT NULL
);

-- What was tried and what was changed is only added to.
DO $$
DECLARE
    application name := current_schema() || '_application';
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = application) THEN
        EXECUTE format(
            'GRANT UPDATE (full_name, roles, password_hash, one_time, disabled) ON people TO %I',
            application);
        EXECUTE format('GRANT UPDATE (seen_at), DELETE ON sessions TO %I', application);
    END IF;
END
$$;
