//! Sends mails about plans: that a trial ends soon, and decisions about requests.
//!
//! Each mail is a row inserted together with its cause (`slovo_db::plans::mails`). A process claims
//! the row before sending, so that only one of several processes sends it.

use slovo_db::plans::mails::Said;
use slovo_db::site::mails::{Cause, Claimed};
use slovo_db::{plans, site};
use slovo_rules::locale::Locale;
use uuid::Uuid;

use crate::state::AppState;
use slovo_mail::Mail;
use slovo_mail::stored::{BATCH, CLAIM_MS, EVERY, MAX_TRIES, pause_ms};
use slovo_platform::clock::from_ms;

/// Sends due mails periodically until the server stops.
pub async fn keep_sent(state: AppState) {
    loop {
        if let Err(error) = send_due(&state).await {
            tracing::warn!(%error, "mails about plans could not be sent; trying again");
        }
        tokio::select! {
            () = state.shutdown.cancelled() => return,
            () = tokio::time::sleep(EVERY) => {}
        }
    }
}

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
            match letter(state, claimed.id).await? {
                Some((to, locale, mail)) => {
                    let sent = state.mail.send(&to, locale, &mail).await;
                    settle(state, &claimed, sent).await?;
                }
                None => give_up(state, claimed.id).await?,
            }
        }
    }
}

async fn claim(state: &AppState) -> slovo_db::Result<Vec<Claimed>> {
    let now = state.clock.now_ms();
    let mut transaction = state.db.write().await?;
    let due = site::mails::claim(&mut transaction, Cause::Plan, now, now + CLAIM_MS, BATCH).await?;
    transaction.commit().await?;
    Ok(due)
}

/// The recipient, language and mail; `None` if it is not wanted any more, or too late.
async fn letter(state: &AppState, id: Uuid) -> slovo_db::Result<Option<(String, Locale, Mail)>> {
    let letter = plans::mails::letter(&mut *state.db.read().await?, id).await?;
    let Some(letter) = letter else {
        return Ok(None);
    };
    let link = format!("{}/subscription", state.config.public_url());
    let plan = letter.plan_name;
    let mail = match letter.said {
        Said::TrialEnding(ends_at) if ends_at <= state.clock.now_ms() => return Ok(None),
        Said::TrialEnding(ends_at) => Mail::TrialEnding {
            plan,
            when: from_ms(ends_at),
            link,
        },
        Said::Approved(answer) => Mail::PlanDecided {
            approved: true,
            plan,
            answer,
            link,
        },
        Said::Declined(answer) => Mail::PlanDecided {
            approved: false,
            plan,
            answer,
            link,
        },
    };
    Ok(Some((letter.email, letter.locale, mail)))
}

/// Stores the outcome of sending a mail.
async fn settle<E: std::fmt::Display>(
    state: &AppState,
    claimed: &Claimed,
    sent: Result<(), E>,
) -> slovo_db::Result<()> {
    let (id, tries) = (claimed.id, claimed.tries);
    let now = state.clock.now_ms();
    let mut transaction = state.db.write().await?;
    match sent {
        Ok(()) => site::mails::sent(&mut transaction, Cause::Plan, id, now).await?,
        Err(error) if tries >= MAX_TRIES => {
            tracing::error!(%id, %error, tries, "a mail about a plan is given up");
            site::mails::give_up(&mut transaction, Cause::Plan, id).await?;
        }
        Err(error) => {
            tracing::warn!(%id, %error, tries, "a mail about a plan was not sent");
            let later = now + pause_ms(tries);
            site::mails::put_off(&mut transaction, Cause::Plan, id, later).await?;
        }
    }
    transaction.commit().await
}

async fn give_up(state: &AppState, id: Uuid) -> slovo_db::Result<()> {
    let mut transaction = state.db.write().await?;
    site::mails::give_up(&mut transaction, Cause::Plan, id).await?;
    transaction.commit().await
}
