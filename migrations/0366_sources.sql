-- Places that are watched for new recordings: feeds, WebDAV folders, prefixes of S3 buckets and
-- folders on the server's disk. `password` is encrypted, with the origin that it may be sent to
-- (JSON). `next_check_at` is also when a lease ends: while `lease_id` is set, a process looks there.
-- `has_looked` is 1 after the first look that succeeded: what it found is skipped unless
-- `take_existing` is 1. `preset_id` may name a preset that was deleted.
CREATE TABLE sources (
    id TEXT NOT NULL CONSTRAINT sources_pkey PRIMARY KEY,
    account_id TEXT NOT NULL CONSTRAINT sources_account_id_fkey REFERENCES accounts (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    location TEXT NOT NULL,
    region TEXT NOT NULL,
    user_name TEXT NOT NULL,
    password TEXT,
    preset_id TEXT,
    is_active BIGINT NOT NULL,
    take_existing BIGINT NOT NULL,
    has_looked BIGINT NOT NULL DEFAULT 0,
    failures BIGINT NOT NULL DEFAULT 0,
    problem TEXT,
    checked_at BIGINT,
    next_check_at BIGINT NOT NULL,
    lease_id TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX sources_by_account ON sources (account_id, created_at, id);
CREATE INDEX sources_due ON sources (next_check_at, id) WHERE is_active = 1;
-- What was found at a source. `item_key` is its path or its id in the feed, `key_hash` the SHA-256 of
-- that: each is transcribed once. `is_settled` is 1 once it had the same `version`, first seen at
-- `changed_at`, for long enough. After `attempts` that failed, it is tried again at `retry_at`.
-- `job_id` may name a job that was deleted.
CREATE TABLE source_recordings (
    id TEXT NOT NULL CONSTRAINT source_recordings_pkey PRIMARY KEY,
    source_id TEXT NOT NULL CONSTRAINT source_recordings_source_id_fkey REFERENCES sources (id) ON DELETE CASCADE,
    key_hash TEXT NOT NULL,
    item_key TEXT NOT NULL,
    name TEXT NOT NULL,
    url TEXT,
    size BIGINT,
    version TEXT NOT NULL,
    is_settled BIGINT NOT NULL,
    state TEXT NOT NULL,
    job_id TEXT,
    problem TEXT,
    found_at BIGINT NOT NULL,
    changed_at BIGINT NOT NULL,
    attempts BIGINT NOT NULL DEFAULT 0,
    retry_at BIGINT NOT NULL DEFAULT 0,
    CONSTRAINT source_recordings_key UNIQUE (source_id, key_hash)
);
CREATE INDEX source_recordings_by_time ON source_recordings (source_id, found_at, id);
CREATE INDEX source_recordings_waiting ON source_recordings (source_id, found_at, id) WHERE state = 'waiting';
