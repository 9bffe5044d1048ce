-- Jobs that have a workflow at Temporal. A job that waits for work and is not listed gets one; the
-- workflow removes the row in the moment in which it finds nothing more to do. `checked_at`: when the
-- workflow was last known to run, Unix milliseconds.
CREATE TABLE job_workflows (
    my_job_id TEXT NOT NULL CONSTRAINT job_workflows_pkey PRIMARY KEY
              CONSTRAINT job_workflows_my_job_id_fkey REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE,
    checked_at BIGINT NOT NULL
);
CREATE INDEX job_workflows_by_check ON job_workflows (checked_at, my_job_id);
