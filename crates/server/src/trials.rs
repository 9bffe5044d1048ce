//! Trial plans of new accounts.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use slovo_db::Connection;
use slovo_db::plans::mails::{New, Said};
use slovo_db::plans::{self, Plan, ledger, trials};
use slovo_db::site::server_settings;
use slovo_rules::limits::TRIAL_NOTICE_DAYS;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::edition::{Edition, edition};
use crate::first_plans;
use crate::state::AppState;

/// How often expired trials are looked for.
const EVERY: Duration = Duration::from_secs(10);
/// Trials ended per transaction.
const BATCH: i64 = 100;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Key of [`PlanTerms`] among the server's settings.
const TERMS: &str = "plan_terms";

/// What new accounts have on trial, and how long money is given back.
///
/// They are set as a whole, so each field must be given: one left out would otherwise end the
/// trial, or the refund, unsaid.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlanTerms {
    /// The plan that a new account has on trial; null for none. One that is inactive is not given.
    #[schema(required)]
    #[serde(deserialize_with = "Option::deserialize")]
    pub trial_plan: Option<Uuid>,
    /// For how many days; 0 for no trial.
    pub trial_days: u32,
    /// Days after a payment within which money is given back; 0 if it is not.
    pub refund_days: u32,
}

/// The terms set by an administrator or by the first start; without them there are no trials.
///
/// # Errors
/// When the database fails.
pub async fn terms(connection: &mut Connection) -> slovo_db::Result<PlanTerms> {
    let terms = server_settings::get(connection, TERMS).await?;
    Ok(terms.unwrap_or_default())
}

/// Sets the terms.
///
/// # Errors
/// When the database fails.
pub async fn set_terms(
    connection: &mut Connection,
    terms: &PlanTerms,
    now: i64,
) -> slovo_db::Result<()> {
    server_settings::set(connection, TERMS, terms, now).await
}

/// The plan on trial and its number of days; `None` if there is none: in an organisation, or after
/// an administrator has deactivated the plan.
///
/// # Errors
/// When the database fails.
pub async fn offered(
    state: &AppState,
    connection: &mut Connection,
) -> slovo_db::Result<Option<(Plan, u32)>> {
    if edition(state, &mut *connection).await? != Edition::Service {
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
/// has a plan, from the external database, keeps that.
///
/// # Errors
/// When the database fails.
pub async fn begin(
    state: &AppState,
    connection: &mut Connection,
    user_id: &str,
) -> slovo_db::Result<()> {
    let Some((plan, days)) = offered(state, &mut *connection).await? else {
        return Ok(());
    };
    if plans::of_user(&mut *connection, user_id).await?.is_some() {
        return Ok(());
    }
    let now = state.clock.now_ms();
    let ends_at = now + i64::from(days) * DAY_MS;
    if !ledger::begin_trial(&mut *connection, user_id, &plan, ends_at, now).await? {
        return Ok(());
    }
    let notice = New {
        id: new_id(state)?,
        user_id,
        plan_name: &plan.form.name,
        said: &Said::TrialEnding(ends_at),
        mail_after: ends_at - i64::from(TRIAL_NOTICE_DAYS) * DAY_MS,
        now,
    };
    plans::mails::insert(connection, &notice).await
}

/// The id for a new row.
///
/// # Errors
/// Never: new ids are UUIDs.
pub fn new_id(state: &AppState) -> slovo_db::Result<Uuid> {
    let id = state.new_id();
    let parsed = id.parse();
    parsed.map_err(|_| slovo_db::Error::row("plan_mails", id, "its id is no UUID"))
}

/// Ends trials when they expire, until the server stops. Also adapts the limits without a plan to
/// the edition.
pub async fn keep_ended(state: AppState) {
    loop {
        let done = async {
            first_plans::follow_edition(&state).await?;
            end_over(&state).await
        };
        if let Err(error) = done.await {
            tracing::warn!(%error, "trials could not be ended; trying again");
        }
        tokio::select! {
            () = state.shutdown.cancelled() => return,
            () = tokio::time::sleep(EVERY) => {}
        }
    }
}

/// Ends expired trials; in an organisation, all of them.
pub(crate) async fn end_over(state: &AppState) -> slovo_db::Result<()> {
    loop {
        let now = state.clock.now_ms();
        let mut connection = state.db.read().await?;
        let until = match edition(state, &mut connection).await? {
            Edition::Service => now,
            Edition::Organisation => i64::MAX,
        };
        let over = trials::over(&mut connection, until, BATCH).await?;
        drop(connection);
        if over.is_empty() {
            return Ok(());
        }
        for user_id in over {
            let mut transaction = state.db.write().await?;
            // An administrator may have assigned a plan meanwhile, which ended the trial.
            let ends_at = trials::end_of(&mut transaction, &user_id).await?;
            if ends_at.is_some_and(|ends_at| ends_at <= until) {
                ledger::change_plan(&mut transaction, &user_id, None, now).await?;
                transaction.commit().await?;
            }
        }
    }
}

#[cfg(test)]
mod tests;
