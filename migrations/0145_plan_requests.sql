-- A user asks for another plan; an administrator approves or declines. At most one request of a user
-- is open.
CREATE TABLE plan_requests (
    id          TEXT   NOT NULL CONSTRAINT plan_requests_pkey PRIMARY KEY,
    user_id     TEXT   NOT NULL
                       CONSTRAINT plan_requests_user_id_fkey REFERENCES accounts (id) ON DELETE CASCADE,
    plan_id     TEXT   NOT NULL
                       CONSTRAINT plan_requests_plan_id_fkey REFERENCES synced_subscriptions (id) ON DELETE CASCADE,
    message     TEXT   NOT NULL,
    status      TEXT   NOT NULL
                       CONSTRAINT plan_requests_status_check CHECK (status IN ('open', 'approved', 'declined', 'withdrawn')),
    answer      TEXT   NOT NULL,
    created_at  BIGINT NOT NULL,
    decided_at  BIGINT
);
CREATE UNIQUE INDEX plan_requests_user_id_key ON plan_requests (user_id) WHERE status = 'open';
CREATE INDEX plan_requests_status ON plan_requests (status, created_at, id);
