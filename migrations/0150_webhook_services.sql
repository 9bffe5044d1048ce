-- Services of others that the server calls. Their signing keys are not here: they are made of the
-- id and `key_number` with the server's secret, and a new key is a higher number. `modes` is a JSON
-- list: the modes of recognition whose engine a service of category transcription takes the place
-- of. `disabled_by` says why the server itself has stopped calling a service.
CREATE TABLE webhook_services (
    id          TEXT   NOT NULL CONSTRAINT webhook_services_pkey PRIMARY KEY,
    name        TEXT   NOT NULL,
    url         TEXT   NOT NULL,
    description TEXT   NOT NULL,
    category    TEXT   NOT NULL,
    is_active   BIGINT NOT NULL,
    modes       TEXT   NOT NULL,
    key_number  BIGINT NOT NULL DEFAULT 1,
    -- Until a day after this the key before is signed with as well.
    rotated_at  BIGINT,
    disabled_by TEXT,
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL
);
CREATE INDEX webhook_services_category ON webhook_services (category, is_active);
