-- What administrators have changed: who, when, what, how it was and how it is. Rows are never
-- changed. The actor's address is kept beside the id, because the row outlives the account.
-- `before` and `after` are JSON without secrets; null where there was or is nothing.
CREATE TABLE audit_log (
    id          TEXT   NOT NULL CONSTRAINT audit_log_pkey PRIMARY KEY,
    actor_id    TEXT,
    actor_email TEXT   NOT NULL,
    action      TEXT   NOT NULL,
    target_kind TEXT   NOT NULL,
    target_id   TEXT   NOT NULL,
    -- How people know the target: an address, a name.
    target_name TEXT   NOT NULL,
    -- Address and name in small letters, for searching.
    searched    TEXT   NOT NULL,
    before      TEXT,
    after       TEXT,
    created_at  BIGINT NOT NULL
);
CREATE INDEX audit_log_created_at ON audit_log (created_at, id);
