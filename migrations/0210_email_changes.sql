-- Who wants another address for their account, until the codes mailed to both addresses were typed.
-- Codes are short, therefore stored under a key that is not in the database (HMAC). `tries` counts
-- wrong ones; a new wish takes the place of the one before.
CREATE TABLE email_changes (
    user_id       TEXT   NOT NULL CONSTRAINT email_changes_pkey PRIMARY KEY
                         CONSTRAINT email_changes_user_id_fkey REFERENCES accounts (id) ON DELETE CASCADE,
    id            TEXT   NOT NULL,
    new_email     TEXT   NOT NULL,
    old_code_hash TEXT   NOT NULL,
    new_code_hash TEXT   NOT NULL,
    tries         BIGINT NOT NULL,
    created_at    BIGINT NOT NULL,
    expires_at    BIGINT NOT NULL
);
CREATE INDEX email_changes_expires_at_idx ON email_changes (expires_at);
