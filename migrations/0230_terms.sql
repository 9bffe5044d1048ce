-- When somebody agreed to the terms: they are asked once. The form of a sign-up with a password has
-- always asked, and so has the profile's form, which alone sets what somebody uses Slovo for.
ALTER TABLE profiles ADD COLUMN terms_accepted_at BIGINT;

UPDATE profiles SET terms_accepted_at =
    (SELECT a.created_at FROM accounts a WHERE a.id = profiles.user_id)
    WHERE usage IS NOT NULL
       OR user_id IN (SELECT a.id FROM accounts a WHERE a.password_hash <> '');
