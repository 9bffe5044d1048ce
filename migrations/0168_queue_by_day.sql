-- The chart of the queue reads when jobs ended that no worker ever had: in the index as well.
DROP INDEX synced_jobs_by_creation;
CREATE INDEX synced_jobs_by_creation ON synced_jobs (created_at, my_job_id, status, started_at, finished_at);
