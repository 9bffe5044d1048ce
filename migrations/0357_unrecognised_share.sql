-- Share of the speech that was not recognised in the shown text, 0 to 1; null: not known.
ALTER TABLE synced_jobs ADD COLUMN unrecognised DOUBLE PRECISION;
