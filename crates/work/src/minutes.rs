//! The features of a plan, and the minutes that jobs use: see [`slovo_db::plans::ledger`].

use slovo_db::jobs::Job;
use slovo_db::plans::ledger::{self, Balance, RequiredMinutes};
use slovo_db::{Connection, Result};
use slovo_export::Format;
use slovo_rules::job_plan::JobPlan;
use slovo_rules::media::Fault;
use slovo_rules::plan::{PlanFeature, export_needs};
use slovo_rules::settings;
use slovo_rules::violation::{Code, Violation, Violations};

/// Checks that the user's plan includes what a job's settings request; field names are those of the
/// request body.
///
/// # Errors
/// One violation per field that the plan does not include.
pub fn check_settings(balance: &Balance, plan: &JobPlan) -> std::result::Result<(), Violations> {
    settings::check_plan(plan.settings(), |feature| balance.has(feature))
        .map_err(|violations| violations.under("settings"))
}

/// Checks that the plan includes a feature that `field` requests.
///
/// # Errors
/// If it does not.
pub fn check_feature(
    balance: &Balance,
    feature: PlanFeature,
    field: &str,
) -> std::result::Result<(), Violations> {
    if balance.has(feature) {
        return Ok(());
    }
    let missing = Violation::new(field, Code::FeatureNotInPlan).with("feature", feature.as_str());
    Err(Violations(vec![missing]))
}

/// Why a text is not exported in a format.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The user's plan does not include the format.
    #[error("the plan does not include {}", .0.name())]
    NotInPlan(Format),
    /// The database.
    #[error(transparent)]
    Storage(#[from] slovo_db::Error),
}

/// Checks that the user's plan includes exports in this format.
///
/// # Errors
/// When it does not, or the database fails.
pub async fn check_export(
    connection: &mut Connection,
    user_id: &str,
    format: Format,
    now: i64,
) -> std::result::Result<(), ExportError> {
    let Some(feature) = export_needs(format.name()) else {
        return Ok(());
    };
    if ledger::read_balance(connection, user_id, now)
        .await?
        .has(feature)
    {
        return Ok(());
    }
    Err(ExportError::NotInPlan(format))
}

/// The features and minutes that a run of the job needs.
pub fn required_minutes(job: &Job, duration: Option<f64>, now: i64) -> RequiredMinutes<'_> {
    RequiredMinutes {
        user_id: &job.user_id,
        job_id: job.id,
        version: job.version,
        name: job.name(),
        duration,
        now,
    }
}

/// Reserves what a job needs that has just been queued, in the same transaction. The sample of a
/// new account is free when it is created; running it again costs minutes, as it would otherwise be
/// unlimited.
///
/// # Errors
/// When the database fails. The inner error: the plan does not allow it.
pub async fn reserve(
    connection: &mut Connection,
    job: &Job,
    now: i64,
) -> Result<std::result::Result<(), Violations>> {
    if job.is_sample && job.version <= 1 {
        return Ok(Ok(()));
    }
    let reserved = ledger::reserve(connection, &required_minutes(job, job.duration, now)).await?;
    Ok(match reserved {
        Ok(_) => Ok(()),
        Err(violation) => Err(Violations(vec![violation])),
    })
}

/// Converts a violation to the error that a job ends with.
pub fn fault(violation: Violation) -> Fault {
    Fault {
        code: violation.code.as_str().to_owned(),
        params: violation.params,
    }
}
