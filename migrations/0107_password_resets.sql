-- Links that set a new password: valid once and for an hour. Stored as SHA-256 of 256 random
-- bits, so a copy of the database opens nothing.

CREATE TABLE password_resets (
    token_hash TEXT   NOT NULL CONSTRAINT password_resets_pkey PRIMARY KEY,
    user_id    TEXT   NOT NULL CONSTRAINT password_resets_user_id_fkey REFERENCES accounts (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);

CREATE INDEX password_resets_user_id_idx ON password_resets (user_id);
CREATE INDEX password_resets_expires_at_idx ON password_resets (expires_at);
