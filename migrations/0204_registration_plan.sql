-- The plan that was chosen on the price list before the sign-up: asked for as soon as there is an
-- account. Null for most.
ALTER TABLE registrations ADD COLUMN plan_id TEXT;
