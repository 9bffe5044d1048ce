-- What the engine took out of a text because nobody said it, as JSON, with the reason and what the
-- sound says about it. Null for texts that were made before this was kept.
ALTER TABLE synced_output ADD COLUMN removed TEXT;
