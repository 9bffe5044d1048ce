-- Keys with which programs call the API on behalf of an account. The key itself is not stored: only
-- its SHA-256 (64 lower-case hexadecimal digits; a key has 256 random bits) and its last characters,
-- by which its owner recognises it. A revoked key's row is deleted. `scopes` is a JSON
-- list of names.
CREATE TABLE api_keys (
    id TEXT NOT NULL CONSTRAINT api_keys_pkey PRIMARY KEY,
    user_id TEXT NOT NULL CONSTRAINT api_keys_user_id_fkey REFERENCES accounts (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    key_hash TEXT NOT NULL CONSTRAINT api_keys_key_hash_key UNIQUE,
    hint TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    last_used_at BIGINT,
    last_address TEXT
);
CREATE INDEX api_keys_by_user ON api_keys (user_id);
CREATE INDEX api_keys_by_time ON api_keys (created_at, id);
-- Name of the key with which an administrator made the change; null in the web app.
ALTER TABLE audit_log ADD COLUMN api_key TEXT;
