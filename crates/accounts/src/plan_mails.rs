//! Sends mails about plans: that a trial ends soon, and decisions about requests.
//!
//! Each mail is a row inserted together with its cause (`slovo_db::plans::mails`). A process claims
//! the row before sending, so that only one of several processes sends it.

use slovo_db::plans::mails::PlanMessage;
use slovo_db::site::mails::{Cause, ClaimedMail};
use slovo_db::{plans, site};
use slovo_rules::locale::Locale;
use uuid::Uuid;

use crate::outbox::Parts;
use slovo_mail::Mail;
use slovo_mail::stored::{BATCH, CLAIM_MS, INTERVAL, MAX_TRIES, pause_ms};
use slovo_platform::clock::from_ms;

/// Sends due mails periodically until the server stops.
pub async fn send_periodically(parts: Parts) {
    loop {
        if let Err(error) = send_due(&parts).await {
            tracing::warn!(%error, "mails about plans could not be sent; trying again");
        }
        tokio::select! {
            () = parts.shutdown.cancelled() => return,
            () = tokio::time::sleep(INTERVAL) => {}
        }
    }
}

/// Sends due mails.
///
/// # Errors
/// When the database fails.
pub async fn send_due(parts: &Parts) -> slovo_db::Result<()> {
    loop {
        let due = claim(parts).await?;
        if due.is_empty() {
            return Ok(());
        }
        for claimed in due {
            if parts.shutdown.is_cancelled() {
                return Ok(());
            }
            match mail_content(parts, claimed.id).await? {
                Some((to, locale, mail)) => {
                    let sent = parts.mail.send(&to, locale, &mail).await;
                    record_outcome(parts, &claimed, sent).await?;
                }
                None => give_up(parts, claimed.id).await?,
            }
        }
    }
}

async fn claim(parts: &Parts) -> slovo_db::Result<Vec<ClaimedMail>> {
    let now = parts.clock.now_ms();
    let mut transaction = parts.db.write().await?;
    let due = site::mails::claim(&mut transaction, Cause::Plan, now, now + CLAIM_MS, BATCH).await?;
    transaction.commit().await?;
    Ok(due)
}

/// The recipient, language and mail; `None` if it is not wanted any more, or too late.
async fn mail_content(parts: &Parts, id: Uuid) -> slovo_db::Result<Option<(String, Locale, Mail)>> {
    let mail_content = plans::mails::mail_content(&mut *parts.db.read().await?, id).await?;
    let Some(mail_content) = mail_content else {
        return Ok(None);
    };
    let link = format!("{}/subscription", parts.public_url);
    let plan = mail_content.plan_name;
    let mail = match mail_content.message {
        PlanMessage::TrialEnding(ends_at) if ends_at <= parts.clock.now_ms() => return Ok(None),
        PlanMessage::TrialEnding(ends_at) => Mail::TrialEnding {
            plan,
            when: from_ms(ends_at),
            link,
        },
        PlanMessage::Approved(answer) => Mail::PlanDecided {
            approved: true,
            plan,
            answer,
            link,
        },
        PlanMessage::Declined(answer) => Mail::PlanDecided {
            approved: false,
            plan,
            answer,
            link,
        },
    };
    Ok(Some((mail_content.email, mail_content.locale, mail)))
}

/// Stores the outcome of sending a mail.
async fn record_outcome<E: std::fmt::Display>(
    parts: &Parts,
    claimed: &ClaimedMail,
    sent: Result<(), E>,
) -> slovo_db::Result<()> {
    let (id, tries) = (claimed.id, claimed.tries);
    let now = parts.clock.now_ms();
    let mut transaction = parts.db.write().await?;
    match sent {
        Ok(()) => site::mails::mark_sent(&mut transaction, Cause::Plan, id, now).await?,
        Err(error) if tries >= MAX_TRIES => {
            tracing::error!(%id, %error, tries, "a mail about a plan is given up");
            site::mails::give_up(&mut transaction, Cause::Plan, id).await?;
        }
        Err(error) => {
            tracing::warn!(%id, %error, tries, "a mail about a plan was not sent");
            let later = now + pause_ms(tries);
            site::mails::postpone(&mut transaction, Cause::Plan, id, later).await?;
        }
    }
    transaction.commit().await
}

async fn give_up(parts: &Parts, id: Uuid) -> slovo_db::Result<()> {
    let mut transaction = parts.db.write().await?;
    site::mails::give_up(&mut transaction, Cause::Plan, id).await?;
    transaction.commit().await
}
