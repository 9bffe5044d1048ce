-- By what a person tells their sessions apart: the browser's own words, the network address, and
-- the last use. `remember` says whether it outlives the browser.

ALTER TABLE sessions ADD COLUMN user_agent TEXT;
ALTER TABLE sessions ADD COLUMN address TEXT;
ALTER TABLE sessions ADD COLUMN last_used_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN remember BIGINT NOT NULL DEFAULT 1;

UPDATE sessions SET last_used_at = created_at;
