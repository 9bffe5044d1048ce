-- What the search knows of each job, and whether it still holds. `changed` counts the changes of
-- what is searched (name and text), `indexed` is the count that the index has seen: a row whose two
-- numbers differ waits to be indexed, also after a kill. The full-text index itself differs between
-- the databases and can be made anew at any time: slovo_db::search::schema makes it, and notes in
-- `search_schema` which shape it has.
CREATE TABLE search_documents (
    my_job_id TEXT NOT NULL PRIMARY KEY REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE,
    changed BIGINT NOT NULL,
    indexed BIGINT NOT NULL
);
CREATE INDEX search_documents_stale ON search_documents (my_job_id) WHERE changed <> indexed;
INSERT INTO search_documents (my_job_id, changed, indexed) SELECT my_job_id, 1, 0 FROM synced_jobs;
CREATE TABLE search_schema (
    slot BIGINT NOT NULL PRIMARY KEY,
    shape BIGINT NOT NULL
);
