//! The terms of plans: the trial of new accounts, and how long money is given back.

use serde::{Deserialize, Serialize};
use slovo_db::Connection;
use slovo_db::site::server_settings;
use utoipa::ToSchema;
use uuid::Uuid;

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
