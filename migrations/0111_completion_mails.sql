-- Mails to be sent because a job is done. The row is made in the transaction that completes the
-- job, so a server that stops right then still sends it; one that stops between sending and
-- removing the row sends it twice.

CREATE TABLE completion_mails (
    job_id     TEXT   NOT NULL CONSTRAINT completion_mails_pkey PRIMARY KEY
                      CONSTRAINT completion_mails_job_id_fkey REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE,
    tries      BIGINT NOT NULL,
    run_after  BIGINT NOT NULL
);
