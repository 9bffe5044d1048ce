-- Folders elsewhere in which the texts of an account are kept up to date. `password` is encrypted,
-- with the origin that it may be sent to (JSON). The next run begins at `next_run_at` or later, once
-- a text waits; while `lease_id` is set, a process writes there until `next_run_at`. `group_id` may
-- name a folder or tag that was deleted.
CREATE TABLE targets (
    id TEXT NOT NULL CONSTRAINT targets_pkey PRIMARY KEY,
    account_id TEXT NOT NULL CONSTRAINT targets_account_id_fkey REFERENCES accounts (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    location TEXT NOT NULL,
    user_name TEXT NOT NULL,
    password TEXT,
    format TEXT NOT NULL,
    group_id TEXT,
    is_active BIGINT NOT NULL,
    failures BIGINT NOT NULL DEFAULT 0,
    problem TEXT,
    ran_at BIGINT,
    next_run_at BIGINT NOT NULL,
    lease_id TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX targets_by_account ON targets (account_id, created_at, id);
CREATE INDEX targets_due ON targets (next_run_at, id) WHERE is_active = 1;
-- The texts of a target. `changed` counts the changes of a text. `path` is the name of its file,
-- `digest` the SHA-256 of what was written there last, and `next_digest` of what is being written:
-- a file with another content is not ours.
CREATE TABLE target_files (
    target_id TEXT NOT NULL CONSTRAINT target_files_target_id_fkey REFERENCES targets (id) ON DELETE CASCADE,
    my_job_id TEXT NOT NULL CONSTRAINT target_files_my_job_id_fkey REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE,
    state TEXT NOT NULL,
    changed BIGINT NOT NULL,
    path TEXT,
    digest TEXT,
    next_digest TEXT,
    problem TEXT,
    attempts BIGINT NOT NULL DEFAULT 0,
    retry_at BIGINT NOT NULL DEFAULT 0,
    written_at BIGINT,
    CONSTRAINT target_files_pkey PRIMARY KEY (target_id, my_job_id),
    CONSTRAINT target_files_path UNIQUE (target_id, path)
);
CREATE INDEX target_files_by_job ON target_files (my_job_id);
CREATE INDEX target_files_waiting ON target_files (target_id, retry_at) WHERE state = 'waiting';
