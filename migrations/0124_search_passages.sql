-- The shown text of each job by segment, as the search shows it: read for the few jobs of a page
-- of results. `folded` is the text in which words are looked for (slovo_rules::search).
CREATE TABLE search_passages (
    my_job_id TEXT NOT NULL REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE,
    segment_id TEXT NOT NULL,
    start_time DOUBLE PRECISION NOT NULL,
    speaker TEXT,
    text TEXT NOT NULL,
    folded TEXT NOT NULL,
    PRIMARY KEY (my_job_id, segment_id)
);
