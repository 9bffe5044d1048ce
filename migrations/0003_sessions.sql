-- Who is signed in.
--
-- A session is a family of refresh tokens, of which the newest is valid once. Tokens are stored
-- as SHA-256 of 256 random bits, so a copy of the database signs nobody in. A used token stays
-- until its session is removed: that is how a second use is recognised as theft. A session that
-- ended keeps its row, with the reason, until it would have expired.

CREATE TABLE sessions (
    id           TEXT   NOT NULL CONSTRAINT sessions_pkey PRIMARY KEY,
    user_id      TEXT   NOT NULL CONSTRAINT sessions_user_id_fkey REFERENCES accounts (id) ON DELETE CASCADE,
    created_at   BIGINT NOT NULL,
    -- When its newest refresh token stops being valid.
    expires_at   BIGINT NOT NULL,
    ended_at     BIGINT,
    ended_reason TEXT   CONSTRAINT sessions_ended_reason_check
                        CHECK (ended_reason IN ('signed_out', 'token_reused', 'blocked', 'password_changed'))
);

CREATE INDEX sessions_user_id_idx ON sessions (user_id);
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);

CREATE TABLE refresh_tokens (
    -- SHA-256 of the token, in lower case hexadecimal.
    token_hash TEXT   NOT NULL CONSTRAINT refresh_tokens_pkey PRIMARY KEY,
    session_id TEXT   NOT NULL CONSTRAINT refresh_tokens_session_id_fkey REFERENCES sessions (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at    BIGINT
);

CREATE INDEX refresh_tokens_session_id_idx ON refresh_tokens (session_id);
