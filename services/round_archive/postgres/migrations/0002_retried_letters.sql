-- Dead letters that were taken after all: told by the header of the event in table-events, which may
-- be read before the letter itself.
CREATE TABLE retried_letters (
    "offset" bigint PRIMARY KEY,
    at bigint NOT NULL,
    author text COLLATE "C" NOT NULL
);

DO $$
DECLARE
    application name := current_schema() || '_application';
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = application) THEN
        EXECUTE format('GRANT TRUNCATE ON retried_letters TO %I', application);
    END IF;
END
$$;
