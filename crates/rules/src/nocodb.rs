//! Rules that hold only while the external database is configured.

use crate::violation::{Code, Violation};

/// A plan can be edited or deleted only with its external id.
///
/// # Errors
/// The external database is configured and the plan has no id in it.
pub fn require_plan_id(configured: bool, nocodb_id: Option<&str>) -> Result<(), Violation> {
    if configured && nocodb_id.is_none_or(|id| id.trim().is_empty()) {
        return Err(Violation::new("nocodb_id", Code::PlanExternalIdMissing));
    }
    Ok(())
}

/// A plan can be assigned only to a user with a numeric external id.
///
/// # Errors
/// The external database is configured and the user has no numeric id in it.
pub fn require_user_id(configured: bool, nocodb_user_id: Option<&str>) -> Result<(), Violation> {
    let numeric = nocodb_user_id.map(str::trim).is_some_and(|id| {
        !id.is_empty() && id.bytes().all(|b| b.is_ascii_digit()) && id.parse::<i64>().is_ok()
    });
    if configured && !numeric {
        return Err(Violation::new(
            "nocodb_user_id",
            Code::UserExternalIdInvalid,
        ));
    }
    Ok(())
}
