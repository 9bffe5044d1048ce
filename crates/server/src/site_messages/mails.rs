//! Sends the mails for contact messages and newsletter subscriptions.
//!
//! Each mail is a row of its own (`slovo_db::site::mails`). A process claims the row before
//! sending, so that only one of several processes sends it.

use slovo_db::site::mails::{Cause, Claimed};
use slovo_db::site::{self, contact, newsletter};
use slovo_rules::locale::Locale;
use uuid::Uuid;

use super::{CONFIRM, CONFIRM_DAYS, LEAVE};
use crate::state::AppState;
use slovo_mail::Mail;
use slovo_mail::stored::{BATCH, CLAIM_MS, EVERY, MAX_TRIES, pause_ms};
use slovo_platform::signed_links::SignedId;

/// The recipient, language and mail.
pub(super) type Letter = (String, Locale, Mail);

/// Sends due mails periodically until the server stops.
pub async fn keep_sent(state: AppState) {
    loop {
        for cause in Cause::SITE {
            if let Err(error) = send_due(&state, cause).await {
                tracing::warn!(%error, ?cause, "mails of the public pages could not be sent; trying again");
            }
        }
        tokio::select! {
            () = state.shutdown.cancelled() => return,
            () = tokio::time::sleep(EVERY) => {}
        }
    }
}

pub(super) async fn send_due(state: &AppState, cause: Cause) -> slovo_db::Result<()> {
    loop {
        let due = claim(state, cause).await?;
        if due.is_empty() {
            return Ok(());
        }
        for claimed in due {
            if state.shutdown.is_cancelled() {
                return Ok(());
            }
            match letter(state, cause, claimed.id).await? {
                Some((to, locale, mail)) => {
                    let sent = state.mail.send(&to, locale, &mail).await;
                    settle(state, cause, &claimed, sent).await?;
                }
                None => forget(state, cause, claimed.id).await?,
            }
        }
    }
}

pub(super) async fn claim(state: &AppState, cause: Cause) -> slovo_db::Result<Vec<Claimed>> {
    let now = state.clock.now_ms();
    let mut transaction = state.db.write().await?;
    let due = site::mails::claim(&mut transaction, cause, now, now + CLAIM_MS, BATCH).await?;
    transaction.commit().await?;
    Ok(due)
}

/// The mail for a row; `None` if it is not wanted any more.
pub(super) async fn letter(
    state: &AppState,
    cause: Cause,
    id: Uuid,
) -> slovo_db::Result<Option<Letter>> {
    match cause {
        Cause::ContactMessage => contact_letter(state, id).await,
        Cause::Subscription => confirmation_letter(state, id).await,
        // Sent elsewhere: see `plan_mails`.
        Cause::Plan => Ok(None),
    }
}

/// In the sender's language, which the reply will use as well.
async fn contact_letter(state: &AppState, id: Uuid) -> slovo_db::Result<Option<Letter>> {
    let Some(to) = &state.config.mail.contact_to else {
        return Ok(None);
    };
    let message = contact::get(&mut *state.db.read().await?, id).await?;
    Ok(message.map(|message| {
        let mail = Mail::ContactMessage {
            name: format!("{} {}", message.first_name, message.last_name),
            email: message.email,
            message: message.message,
        };
        (to.as_str().to_owned(), message.locale, mail)
    }))
}

async fn confirmation_letter(state: &AppState, id: Uuid) -> slovo_db::Result<Option<Letter>> {
    let asked = newsletter::get(&mut *state.db.read().await?, id).await?;
    let unanswered = asked.filter(|one| one.confirmed_at.is_none() && one.left_at.is_none());
    Ok(unanswered.map(|one| {
        let base = state.config.public_url();
        let link = |page: &str, purpose| {
            let token = SignedId::new(&state.secret, purpose).token(id);
            format!("{base}/newsletter/{page}?token={token}")
        };
        let mail = Mail::NewsletterConfirmation {
            confirm: link("confirm", CONFIRM),
            leave: link("leave", LEAVE),
            days: CONFIRM_DAYS,
        };
        (one.email, one.locale, mail)
    }))
}

/// Stores the outcome of sending a mail.
pub(super) async fn settle<E: std::fmt::Display>(
    state: &AppState,
    cause: Cause,
    claimed: &Claimed,
    sent: Result<(), E>,
) -> slovo_db::Result<()> {
    let (id, tries) = (claimed.id, claimed.tries);
    let now = state.clock.now_ms();
    let mut transaction = state.db.write().await?;
    match sent {
        Ok(()) => site::mails::sent(&mut transaction, cause, id, now).await?,
        Err(error) if tries >= MAX_TRIES => {
            tracing::error!(%id, ?cause, %error, tries, "a mail of the public pages is given up");
            site::mails::give_up(&mut transaction, cause, id).await?;
        }
        Err(error) => {
            tracing::warn!(%id, ?cause, %error, tries, "a mail of the public pages was not sent");
            let later = now + pause_ms(tries);
            site::mails::put_off(&mut transaction, cause, id, later).await?;
        }
    }
    transaction.commit().await
}

async fn forget(state: &AppState, cause: Cause, id: Uuid) -> slovo_db::Result<()> {
    let mut transaction = state.db.write().await?;
    site::mails::give_up(&mut transaction, cause, id).await?;
    transaction.commit().await
}
