-- Administrators read all presets page by page, the most used first.
CREATE INDEX synced_presets_usage_count ON synced_presets (usage_count, id);
