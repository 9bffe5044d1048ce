-- Plans, under the names of the product's specification. `subscription_id` is the plan's number,
-- which people see; `nocodb_id` its row in the external database, if there is one. Minutes are whole
-- hundredths, so that sums of them stay exact; null means without a limit. `features` is a JSON list.
CREATE TABLE synced_subscriptions (
    id                        TEXT   NOT NULL CONSTRAINT synced_subscriptions_pkey PRIMARY KEY,
    subscription_id           BIGINT NOT NULL CONSTRAINT synced_subscriptions_subscription_id_key UNIQUE,
    nocodb_id                 TEXT   CONSTRAINT synced_subscriptions_nocodb_id_key UNIQUE,
    name                      TEXT   NOT NULL,
    description               TEXT   NOT NULL,
    price                     DOUBLE PRECISION NOT NULL,
    currency                  TEXT   NOT NULL,
    monthly_minutes_limit     BIGINT,
    max_file_duration_minutes BIGINT,
    is_active                 BIGINT NOT NULL,
    features                  TEXT   NOT NULL,
    queue_speed               TEXT   NOT NULL,
    created_at                BIGINT NOT NULL,
    updated_at                BIGINT NOT NULL
);
