-- Formats beside TXT and VTT are a feature of plans from now on. Whoever could export them so far
-- can go on: every plan that exists has the feature, and so has what holds without a plan where an
-- administrator has set that. `features` is the last field of those settings.
UPDATE synced_subscriptions SET features = CASE
    WHEN features = '[]' THEN '["export_formats"]'
    ELSE substr(features, 1, length(features) - 1) || ',"export_formats"]' END;
UPDATE server_settings SET value = CASE
    WHEN value LIKE '%[]}' THEN substr(value, 1, length(value) - 2) || '"export_formats"]}'
    ELSE substr(value, 1, length(value) - 2) || ',"export_formats"]}' END
    WHERE key = 'demo' AND value LIKE '%]}';
