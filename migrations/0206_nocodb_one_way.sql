-- The full name that the external database tells of somebody who has not signed up yet: their
-- profile begins with it.
ALTER TABLE synced_users ADD COLUMN awaited_fullname TEXT;
-- The fields that only this side changes, as they were last carried there, JSON: digests of texts,
-- values of numbers and times. Empty where nothing is known. It is cleared when an account is deleted.
ALTER TABLE nocodb_links ADD COLUMN mirrored TEXT NOT NULL DEFAULT '';
