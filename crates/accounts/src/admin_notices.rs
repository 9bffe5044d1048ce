//! Notifies administrators by mail of pending requests for a plan, and of contact form messages if
//! no contact address is configured.
//!
//! Each mail is a row inserted together with its cause (`slovo_db::site::admin_notices`). A process
//! claims the row before sending, so that only one of several processes sends it.

use slovo_db::plans;
use slovo_db::site::admin_notices::{self, ClaimedNotice, NoticeTopic};
use slovo_db::site::contact;
use slovo_rules::plan::RequestStatus;

use crate::outbox::Parts;
use slovo_mail::Mail;
use slovo_mail::stored::{BATCH, CLAIM_MS, INTERVAL, MAX_TRIES, pause_ms};

/// Sends due mails periodically until the server stops.
pub async fn send_periodically(parts: Parts) {
    loop {
        if let Err(error) = send_due(&parts).await {
            tracing::warn!(%error, "mails to administrators could not be sent; trying again");
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
            let sent = match mail_content(parts, &claimed).await? {
                Some((recipient, mail)) => {
                    parts
                        .mail
                        .send(&recipient.email, recipient.locale, &mail)
                        .await
                }
                None => Ok(()),
            };
            record_outcome(parts, &claimed, sent).await?;
        }
    }
}

async fn claim(parts: &Parts) -> slovo_db::Result<Vec<ClaimedNotice>> {
    let now = parts.clock.now_ms();
    let mut transaction = parts.db.write().await?;
    let due = admin_notices::claim(&mut transaction, now, now + CLAIM_MS, BATCH).await?;
    transaction.commit().await?;
    Ok(due)
}

/// The recipient and the mail; `None` if nothing is pending any more or the recipient is no longer
/// an administrator.
async fn mail_content(
    parts: &Parts,
    claimed: &ClaimedNotice,
) -> slovo_db::Result<Option<(admin_notices::Recipient, Mail)>> {
    let mut connection = parts.db.read().await?;
    let recipient = admin_notices::recipient(&mut connection, &claimed.account_id).await?;
    let Some(recipient) = recipient else {
        return Ok(None);
    };
    let mail = match claimed.about {
        NoticeTopic::ContactMessage => contact::get(&mut connection, claimed.target_id)
            .await?
            .filter(|message| message.handled_at.is_none())
            .map(|message| Mail::ContactMessage {
                name: format!("{} {}", message.first_name, message.last_name),
                email: message.email,
                message: message.message,
            }),
        NoticeTopic::PlanRequest => plans::requests::get(&mut connection, claimed.target_id)
            .await?
            .filter(|request| request.status == RequestStatus::Open)
            .map(|request| Mail::PlanRequest {
                email: request.email,
                plan: request.plan_name,
                present_plan: request.present_plan,
                keeps: request.keeps,
                message: request.message,
                link: format!("{}/admin/subscriptions", parts.public_url),
            }),
    };
    Ok(mail.map(|mail| (recipient, mail)))
}

/// Stores the outcome of sending a mail.
async fn record_outcome<E: std::fmt::Display>(
    parts: &Parts,
    claimed: &ClaimedNotice,
    sent: Result<(), E>,
) -> slovo_db::Result<()> {
    let (about, tries) = (claimed.about, claimed.tries);
    let mut transaction = parts.db.write().await?;
    match sent {
        Ok(()) => admin_notices::remove(&mut transaction, &claimed.id).await?,
        Err(error) if tries >= MAX_TRIES => {
            tracing::error!(?about, %error, tries, "a mail to an administrator is given up");
            admin_notices::remove(&mut transaction, &claimed.id).await?;
        }
        Err(error) => {
            tracing::warn!(?about, %error, tries, "a mail to an administrator was not sent");
            let later = parts.clock.now_ms() + pause_ms(tries);
            admin_notices::postpone(&mut transaction, &claimed.id, later).await?;
        }
    }
    transaction.commit().await
}
