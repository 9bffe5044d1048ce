//! Sends the mails for contact messages and newsletter subscriptions.
//!
//! Each mail is a row of its own (`slovo_db::site::mails`). A process claims the row before
//! sending, so that only one of several processes sends it.

use slovo_db::site::mails::{Cause, ClaimedMail};
use slovo_db::site::{self, contact, newsletter};
use slovo_rules::contact::CONFIRM_DAYS;
use slovo_rules::locale::Locale;
use uuid::Uuid;

use super::{CONFIRM_PURPOSE, LEAVE_PURPOSE, Parts};
use slovo_mail::Mail;
use slovo_mail::stored::{BATCH, CLAIM_MS, INTERVAL, MAX_TRIES, pause_ms};
use slovo_platform::signed_links::SignedId;

/// The recipient, language and mail.
pub type MailContent = (String, Locale, Mail);

/// Sends due mails periodically until the server stops.
pub async fn send_periodically(parts: Parts) {
    loop {
        for cause in Cause::SITE {
            if let Err(error) = send_due(&parts, cause).await {
                tracing::warn!(%error, ?cause, "mails of the public pages could not be sent; trying again");
            }
        }
        tokio::select! {
            () = parts.shutdown.cancelled() => return,
            () = tokio::time::sleep(INTERVAL) => {}
        }
    }
}

/// Sends due mails of a cause.
///
/// # Errors
/// When the database fails.
pub async fn send_due(parts: &Parts, cause: Cause) -> slovo_db::Result<()> {
    loop {
        let due = claim(parts, cause).await?;
        if due.is_empty() {
            return Ok(());
        }
        for claimed in due {
            if parts.shutdown.is_cancelled() {
                return Ok(());
            }
            match mail_content(parts, cause, claimed.id).await? {
                Some((to, locale, mail)) => {
                    let sent = parts.mail.send(&to, locale, &mail).await;
                    record_outcome(parts, cause, &claimed, sent).await?;
                }
                None => forget(parts, cause, claimed.id).await?,
            }
        }
    }
}

/// Claims due mails, so that no other process sends them.
///
/// # Errors
/// When the database fails.
pub async fn claim(parts: &Parts, cause: Cause) -> slovo_db::Result<Vec<ClaimedMail>> {
    let now = parts.clock.now_ms();
    let mut transaction = parts.db.write().await?;
    let due = site::mails::claim(&mut transaction, cause, now, now + CLAIM_MS, BATCH).await?;
    transaction.commit().await?;
    Ok(due)
}

/// The mail for a row; `None` if it is not wanted any more.
///
/// # Errors
/// When the database fails.
pub async fn mail_content(
    parts: &Parts,
    cause: Cause,
    id: Uuid,
) -> slovo_db::Result<Option<MailContent>> {
    match cause {
        Cause::ContactMessage => contact_mail(parts, id).await,
        Cause::Subscription => confirmation_mail(parts, id).await,
        // Sent elsewhere: see `plan_mails`.
        Cause::Plan => Ok(None),
    }
}

/// In the sender's language, which the reply will use as well.
async fn contact_mail(parts: &Parts, id: Uuid) -> slovo_db::Result<Option<MailContent>> {
    let Some(to) = &parts.contact_to else {
        return Ok(None);
    };
    let message = contact::get(&mut *parts.db.read().await?, id).await?;
    Ok(message.map(|message| {
        let mail = Mail::ContactMessage {
            name: format!("{} {}", message.first_name, message.last_name),
            email: message.email,
            message: message.message,
        };
        (to.as_str().to_owned(), message.locale, mail)
    }))
}

async fn confirmation_mail(parts: &Parts, id: Uuid) -> slovo_db::Result<Option<MailContent>> {
    let found = newsletter::get(&mut *parts.db.read().await?, id).await?;
    let unanswered = found
        .filter(|subscriber| subscriber.confirmed_at.is_none() && subscriber.left_at.is_none());
    Ok(unanswered.map(|subscriber| {
        let base = &parts.public_url;
        let link = |page: &str, purpose| {
            let token = SignedId::new(&parts.secret, purpose).token(id);
            format!("{base}/newsletter/{page}?token={token}")
        };
        let mail = Mail::NewsletterConfirmation {
            confirm: link("confirm", CONFIRM_PURPOSE),
            leave: link("leave", LEAVE_PURPOSE),
            days: CONFIRM_DAYS,
        };
        (subscriber.email, subscriber.locale, mail)
    }))
}

/// Stores the outcome of sending a mail.
///
/// # Errors
/// When the database fails.
pub async fn record_outcome<E: std::fmt::Display>(
    parts: &Parts,
    cause: Cause,
    claimed: &ClaimedMail,
    sent: Result<(), E>,
) -> slovo_db::Result<()> {
    let (id, tries) = (claimed.id, claimed.tries);
    let now = parts.clock.now_ms();
    let mut transaction = parts.db.write().await?;
    match sent {
        Ok(()) => site::mails::mark_sent(&mut transaction, cause, id, now).await?,
        Err(error) if tries >= MAX_TRIES => {
            tracing::error!(%id, ?cause, %error, tries, "a mail of the public pages is given up");
            site::mails::give_up(&mut transaction, cause, id).await?;
        }
        Err(error) => {
            tracing::warn!(%id, ?cause, %error, tries, "a mail of the public pages was not sent");
            let later = now + pause_ms(tries);
            site::mails::postpone(&mut transaction, cause, id, later).await?;
        }
    }
    transaction.commit().await
}

async fn forget(parts: &Parts, cause: Cause, id: Uuid) -> slovo_db::Result<()> {
    let mut transaction = parts.db.write().await?;
    site::mails::give_up(&mut transaction, cause, id).await?;
    transaction.commit().await
}
