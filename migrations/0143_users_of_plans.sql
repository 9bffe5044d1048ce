-- Which plan a user has, by its number, and which row they have in the external database.
ALTER TABLE synced_users ADD COLUMN subscription_id BIGINT
    CONSTRAINT synced_users_subscription_id_fkey REFERENCES synced_subscriptions (subscription_id);
ALTER TABLE synced_users ADD COLUMN nocodb_user_id TEXT;
ALTER TABLE synced_users ADD COLUMN nocodb_id TEXT;
CREATE INDEX synced_users_subscription_id ON synced_users (subscription_id);
