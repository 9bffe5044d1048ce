//! Notifies administrators by mail of pending requests for a plan, and of contact form messages if
//! no contact address is configured.
//!
//! Each mail is a row inserted together with its cause (`slovo_db::site::admin_notices`). A process
//! claims the row before sending, so that only one of several processes sends it.

use slovo_db::plans;
use slovo_db::site::admin_notices::{self, About, Claimed};
use slovo_db::site::contact;
use slovo_rules::plan::RequestStatus;

use crate::state::AppState;
use slovo_mail::Mail;
use slovo_mail::stored::{BATCH, CLAIM_MS, EVERY, MAX_TRIES, pause_ms};

/// Sends due mails periodically until the server stops.
pub async fn keep_sent(state: AppState) {
    loop {
        if let Err(error) = send_due(&state).await {
            tracing::warn!(%error, "mails to administrators could not be sent; trying again");
        }
        tokio::select! {
            () = state.shutdown.cancelled() => return,
            () = tokio::time::sleep(EVERY) => {}
        }
    }
}

/// Sends due mails.
///
/// # Errors
/// When the database fails.
pub(crate) async fn send_due(state: &AppState) -> slovo_db::Result<()> {
    loop {
        let due = claim(state).await?;
        if due.is_empty() {
            return Ok(());
        }
        for claimed in due {
            if state.shutdown.is_cancelled() {
                return Ok(());
            }
            let sent = match letter(state, &claimed).await? {
                Some((reader, mail)) => state.mail.send(&reader.email, reader.locale, &mail).await,
                None => Ok(()),
            };
            settle(state, &claimed, sent).await?;
        }
    }
}

async fn claim(state: &AppState) -> slovo_db::Result<Vec<Claimed>> {
    let now = state.clock.now_ms();
    let mut transaction = state.db.write().await?;
    let due = admin_notices::claim(&mut transaction, now, now + CLAIM_MS, BATCH).await?;
    transaction.commit().await?;
    Ok(due)
}

/// The recipient and the mail; `None` if nothing is pending any more or the recipient is no longer
/// an administrator.
async fn letter(
    state: &AppState,
    claimed: &Claimed,
) -> slovo_db::Result<Option<(admin_notices::Reader, Mail)>> {
    let mut connection = state.db.read().await?;
    let Some(reader) = admin_notices::reader(&mut connection, &claimed.account_id).await? else {
        return Ok(None);
    };
    let mail = match claimed.about {
        About::ContactMessage => contact::get(&mut connection, claimed.target_id)
            .await?
            .filter(|message| message.handled_at.is_none())
            .map(|message| Mail::ContactMessage {
                name: format!("{} {}", message.first_name, message.last_name),
                email: message.email,
                message: message.message,
            }),
        About::PlanRequest => plans::requests::get(&mut connection, claimed.target_id)
            .await?
            .filter(|request| request.status == RequestStatus::Open)
            .map(|request| Mail::PlanRequest {
                email: request.email,
                plan: request.plan_name,
                present_plan: request.present_plan,
                keeps: request.keeps,
                message: request.message,
                link: format!("{}/admin/subscriptions", state.config.public_url()),
            }),
    };
    Ok(mail.map(|mail| (reader, mail)))
}

/// Stores the outcome of sending a mail.
async fn settle<E: std::fmt::Display>(
    state: &AppState,
    claimed: &Claimed,
    sent: Result<(), E>,
) -> slovo_db::Result<()> {
    let (about, tries) = (claimed.about, claimed.tries);
    let mut transaction = state.db.write().await?;
    match sent {
        Ok(()) => admin_notices::remove(&mut transaction, &claimed.id).await?,
        Err(error) if tries >= MAX_TRIES => {
            tracing::error!(?about, %error, tries, "a mail to an administrator is given up");
            admin_notices::remove(&mut transaction, &claimed.id).await?;
        }
        Err(error) => {
            tracing::warn!(?about, %error, tries, "a mail to an administrator was not sent");
            let later = state.clock.now_ms() + pause_ms(tries);
            admin_notices::put_off(&mut transaction, &claimed.id, later).await?;
        }
    }
    transaction.commit().await
}
