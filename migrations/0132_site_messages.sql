-- What visitors of the public pages leave. A row is also the entry of the mail that it causes:
-- `mail_after` says from when that may be sent, and is null when nothing is to be sent any more.
-- A server that stops between sending and noting it sends a mail twice, and none never.

CREATE TABLE contact_messages (
    id         TEXT   NOT NULL CONSTRAINT contact_messages_pkey PRIMARY KEY,
    first_name TEXT   NOT NULL,
    last_name  TEXT   NOT NULL,
    email      TEXT   NOT NULL,
    message    TEXT   NOT NULL,
    locale     TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    mail_tries BIGINT NOT NULL DEFAULT 0,
    mail_after BIGINT,
    mailed_at  BIGINT
);

CREATE INDEX contact_messages_created_at_idx ON contact_messages (created_at, id);
CREATE INDEX contact_messages_mail_after_idx ON contact_messages (mail_after) WHERE mail_after IS NOT NULL;

-- Nobody is subscribed before `confirmed_at`, nor after `left_at`. The tokens of the links in the
-- mails are made of the id with the server's secret, as those of shares, and so are not here.
CREATE TABLE newsletter_subscribers (
    id           TEXT   NOT NULL CONSTRAINT newsletter_subscribers_pkey PRIMARY KEY,
    email        TEXT   NOT NULL CONSTRAINT newsletter_subscribers_email_key UNIQUE,
    locale       TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    confirmed_at BIGINT,
    left_at      BIGINT,
    mail_tries   BIGINT NOT NULL DEFAULT 0,
    mail_after   BIGINT,
    mailed_at    BIGINT
);

CREATE INDEX newsletter_subscribers_created_at_idx ON newsletter_subscribers (created_at, id);
CREATE INDEX newsletter_subscribers_mail_after_idx ON newsletter_subscribers (mail_after) WHERE mail_after IS NOT NULL;
