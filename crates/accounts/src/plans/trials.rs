//! Trial plans of new accounts.

use std::time::Duration;

use slovo_db::Connection;
use slovo_db::plans::mails::{NewMail, PlanMessage};
use slovo_db::plans::{self, Plan, ledger, trials};
use slovo_platform::random::Random;
use slovo_rules::limits::TRIAL_NOTICE_DAYS;

use super::edition::{Edition, edition};
use super::terms::terms;
use super::{Parts, first_plans};
use crate::ids::row_id;

/// How often to check for expired trials.
const INTERVAL: Duration = Duration::from_secs(10);
/// Trials ended per transaction.
const BATCH: i64 = 100;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// The plan on trial and its number of days; `None` if there is none: in an organisation, or after
/// an administrator has deactivated the plan.
///
/// # Errors
/// When the database fails.
pub async fn offered(
    configured: Option<Edition>,
    connection: &mut Connection,
) -> slovo_db::Result<Option<(Plan, u32)>> {
    if edition(configured, &mut *connection).await? != Edition::Service {
        return Ok(None);
    }
    let terms = terms(&mut *connection).await?;
    let (Some(id), days @ 1..) = (terms.trial_plan, terms.trial_days) else {
        return Ok(None);
    };
    let plan = plans::get(connection, id).await?;
    let plan = plan.filter(|plan| plan.form.is_active);
    Ok(plan.map(|plan| (plan, days)))
}

/// Begins the trial of a new account, in the transaction that creates it. An account that already
/// has a plan, from the external database, keeps that. `random` makes the id of the
/// row for the mail about the trial's end.
///
/// # Errors
/// When the database fails.
pub async fn begin(
    configured: Option<Edition>,
    connection: &mut Connection,
    user_id: &str,
    random: &dyn Random,
    now: i64,
) -> slovo_db::Result<()> {
    let Some((plan, days)) = offered(configured, &mut *connection).await? else {
        return Ok(());
    };
    if plans::of_user(&mut *connection, user_id).await?.is_some() {
        return Ok(());
    }
    let ends_at = now + i64::from(days) * DAY_MS;
    if !ledger::begin_trial(&mut *connection, user_id, &plan, ends_at, now).await? {
        return Ok(());
    }
    let notice = NewMail {
        id: row_id(random, now, "plan_mails")?,
        user_id,
        plan_name: &plan.form.name,
        message: &PlanMessage::TrialEnding(ends_at),
        mail_after: ends_at - i64::from(TRIAL_NOTICE_DAYS) * DAY_MS,
        now,
    };
    plans::mails::insert(connection, &notice).await
}

/// Ends trials when they expire, until the server stops. Also adapts the limits without a plan to
/// the edition.
pub async fn end_expired_periodically(parts: Parts) {
    loop {
        if let Err(error) = end_expired_once(&parts).await {
            tracing::warn!(%error, "trials could not be ended; trying again");
        }
        tokio::select! {
            () = parts.shutdown.cancelled() => return,
            () = tokio::time::sleep(INTERVAL) => {}
        }
    }
}

/// One round of [`end_expired_periodically`].
///
/// # Errors
/// When the database fails.
pub async fn end_expired_once(parts: &Parts) -> slovo_db::Result<()> {
    first_plans::follow_edition(parts).await?;
    end_expired(parts).await
}

/// Ends expired trials; in an organisation, all of them.
///
/// # Errors
/// When the database fails.
pub async fn end_expired(parts: &Parts) -> slovo_db::Result<()> {
    loop {
        let now = parts.clock.now_ms();
        let mut connection = parts.db.read().await?;
        let until = match edition(parts.edition, &mut connection).await? {
            Edition::Service => now,
            Edition::Organisation => i64::MAX,
        };
        let expired = trials::expired(&mut connection, until, BATCH).await?;
        drop(connection);
        if expired.is_empty() {
            return Ok(());
        }
        for user_id in expired {
            let mut transaction = parts.db.write().await?;
            // An administrator may have assigned a plan meanwhile, which ended the trial.
            let ends_at = trials::ends_at(&mut transaction, &user_id).await?;
            if ends_at.is_some_and(|ends_at| ends_at <= until) {
                ledger::change_plan(&mut transaction, &user_id, None, now).await?;
                transaction.commit().await?;
            }
        }
    }
}
