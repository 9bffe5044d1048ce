-- The external database (NocoDB): where it is, and what the last test of the connection found.
-- One row at most; none means that plans, users and presets are managed here alone. Its token is
-- no part of it: that comes from the server's secrets.
CREATE TABLE nocodb_config (
    id                BIGINT NOT NULL CONSTRAINT nocodb_config_pkey PRIMARY KEY
                             CONSTRAINT nocodb_config_id_check CHECK (id = 1),
    api_url           TEXT   NOT NULL,
    project_id        TEXT   NOT NULL,
    last_test_at      BIGINT,
    last_test_success BIGINT,
    last_test_error   TEXT,
    -- The whole result of that test, JSON.
    last_test         TEXT,
    updated_at        BIGINT NOT NULL
);
