-- Webhooks of users: `owner_id` is the account whose recordings a service is notified of; services
-- of administrators have none. `events` and `folders` are JSON lists: what an account's webhook is
-- sent, and the ids of the folders that it is limited to. A deleted folder stays in the list, so
-- that the webhook is sent nothing else.
ALTER TABLE webhook_services ADD COLUMN owner_id TEXT
    CONSTRAINT webhook_services_owner_id_fkey REFERENCES accounts (id) ON DELETE CASCADE;
ALTER TABLE webhook_services ADD COLUMN events TEXT NOT NULL DEFAULT '[]';
ALTER TABLE webhook_services ADD COLUMN folders TEXT NOT NULL DEFAULT '[]';
CREATE INDEX webhook_services_by_owner ON webhook_services (owner_id, created_at, id);
-- The calls that run at the moment: no account may have many at once.
CREATE INDEX webhook_deliveries_running ON webhook_deliveries (run_after)
    WHERE status = 'pending' AND lease_id IS NOT NULL;
