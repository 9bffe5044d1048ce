-- Which run of its job a change of minutes belongs to: people are shown one line for each run, with
-- what it came to, instead of a reservation and its settlement. Entries from before all count as
-- the first run of their job.
ALTER TABLE synced_usage_history ADD COLUMN run BIGINT NOT NULL DEFAULT 1;
CREATE INDEX synced_usage_history_runs ON synced_usage_history (user_id, my_job_id, run, entry);
