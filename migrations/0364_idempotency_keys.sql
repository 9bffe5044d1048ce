-- Keys with which clients repeat a request to create a job: the same key returns the same job. Kept
-- for a day. `request` is the SHA-256 of what was asked for, so that a key for something else is
-- refused.
CREATE TABLE idempotency_keys (
    user_id TEXT NOT NULL CONSTRAINT idempotency_keys_user_id_fkey REFERENCES accounts (id) ON DELETE CASCADE,
    idempotency_key TEXT NOT NULL,
    my_job_id TEXT NOT NULL CONSTRAINT idempotency_keys_my_job_id_fkey REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE,
    request TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    CONSTRAINT idempotency_keys_pkey PRIMARY KEY (user_id, idempotency_key)
);
CREATE INDEX idempotency_keys_by_job ON idempotency_keys (my_job_id);
CREATE INDEX idempotency_keys_by_time ON idempotency_keys (created_at);
