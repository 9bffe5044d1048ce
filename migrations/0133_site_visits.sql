-- How often each public page was opened by visitors who agreed to be counted: a sum a day, and
-- nothing of who they were.

CREATE TABLE site_visits (
    day    TEXT   NOT NULL,
    page   TEXT   NOT NULL,
    locale TEXT   NOT NULL,
    visits BIGINT NOT NULL,
    CONSTRAINT site_visits_pkey PRIMARY KEY (day, page, locale)
);
