-- What a preset sets for readers of English: null where it sets the same for everybody. And its place
-- among the presets for a quick start, which come first in every list: null for all others.
ALTER TABLE synced_presets ADD COLUMN settings_en TEXT;
ALTER TABLE synced_presets ADD COLUMN quick_start BIGINT;
