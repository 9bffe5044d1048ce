-- Uploads that begin before their length is known, as a recording does that is streamed while it
-- is made. `kind` is 'file' or 'voice'. `length` is 'announced' (the upload began with it), 'open'
-- (not told yet: `size` is 0 and means nothing) or 'declared' (told later, and never changed).

ALTER TABLE uploads ADD COLUMN kind TEXT NOT NULL DEFAULT 'file';
ALTER TABLE uploads ADD COLUMN length TEXT NOT NULL DEFAULT 'announced';
