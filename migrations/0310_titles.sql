-- What its owner calls a transcript; null: by the name of its file.
ALTER TABLE synced_jobs ADD COLUMN title TEXT;
-- The same in small letters, by which it is found; as `filename_folded` is of the name.
ALTER TABLE synced_jobs ADD COLUMN title_folded TEXT NOT NULL DEFAULT '';
