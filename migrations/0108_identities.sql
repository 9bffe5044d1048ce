-- Sign-in by an OpenID provider.
--
-- An identity is the provider's subject, never an address: addresses change hands. An account
-- that was made this way has the empty text for its `password_hash`, which no password matches.
-- A handoff carries a sign-in from the provider's redirect to the page, which keeps the session:
-- valid once, for a minute, in the browser that began it.

CREATE TABLE identities (
    issuer     TEXT   NOT NULL,
    subject    TEXT   NOT NULL,
    user_id    TEXT   NOT NULL CONSTRAINT identities_user_id_fkey REFERENCES accounts (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    CONSTRAINT identities_pkey PRIMARY KEY (issuer, subject)
);

CREATE INDEX identities_user_id_idx ON identities (user_id);

CREATE TABLE handoffs (
    token_hash   TEXT   NOT NULL CONSTRAINT handoffs_pkey PRIMARY KEY,
    -- SHA-256 of the cookie of the browser that began.
    browser_hash TEXT   NOT NULL,
    user_id      TEXT   NOT NULL CONSTRAINT handoffs_user_id_fkey REFERENCES accounts (id) ON DELETE CASCADE,
    remember     BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL
);

CREATE INDEX handoffs_user_id_idx ON handoffs (user_id);
