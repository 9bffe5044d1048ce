-- The last number that a plan was given. It only grows: the number of a plan that was deleted is
-- in histories, requests and the external database, and must never come to mean another plan.
CREATE TABLE plan_numbers (
    id          BIGINT NOT NULL CONSTRAINT plan_numbers_pkey PRIMARY KEY
                       CONSTRAINT plan_numbers_id_check CHECK (id = 1),
    last_number BIGINT NOT NULL
);
INSERT INTO plan_numbers (id, last_number)
    SELECT 1, COALESCE(MAX(subscription_id), 0) FROM synced_subscriptions;
