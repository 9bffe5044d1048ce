-- What services are told: one row is one event for one service, and also the queue's entry, written
-- in the transaction that makes what it tells of. Whoever sends it claims it first by moving
-- `run_after` to the end of the claim, so a sender that dies leaves it to the next one. An event of
-- a job goes with the job, for it names the recording.
CREATE TABLE webhook_deliveries (
    id           TEXT   NOT NULL CONSTRAINT webhook_deliveries_pkey PRIMARY KEY,
    service_id   TEXT   NOT NULL REFERENCES webhook_services (id) ON DELETE CASCADE,
    -- The same for all services and all attempts: receivers know by it what they have had.
    event_id     TEXT   NOT NULL,
    event_type   TEXT   NOT NULL,
    my_job_id    TEXT   REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE,
    payload      TEXT   NOT NULL,
    status       TEXT   NOT NULL,
    attempts     BIGINT NOT NULL DEFAULT 0,
    -- Attempts since it was last put into the queue: where it is in the schedule.
    step         BIGINT NOT NULL DEFAULT 0,
    run_after    BIGINT NOT NULL,
    lease_id     TEXT,
    last_status  BIGINT,
    last_error   TEXT,
    latency_ms   BIGINT,
    created_at   BIGINT NOT NULL,
    delivered_at BIGINT
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (run_after, id) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_by_service ON webhook_deliveries (service_id, created_at, id);
CREATE INDEX webhook_deliveries_by_job ON webhook_deliveries (my_job_id);
