-- A job that is made of an address has no recording until a worker has fetched it. Such jobs wait in
-- a line of their own: fetching takes time and no core, so it must not keep the others' places.
ALTER TABLE synced_jobs ADD COLUMN awaits_download BIGINT NOT NULL DEFAULT 0;
