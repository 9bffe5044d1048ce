//! What sources and targets share: places elsewhere, and work there under a lease.

pub(crate) mod lease;
pub(crate) mod password;
pub(crate) mod problem;

use slovo_app::state::AppState;
use slovo_db::accounts::{self, Account, Status};
use slovo_db::sources::Problem;
use slovo_rules::source::SourceKind;

use problem::{internal, problem};

/// The active account on whose behalf something is done at a place.
///
/// # Errors
/// It is blocked, or may not use places of this kind any more.
pub(crate) async fn owner(
    state: &AppState,
    account_id: &str,
    kind: SourceKind,
) -> Result<Account, Problem> {
    let mut connection = state.db.read().await.map_err(internal)?;
    let account = accounts::get(&mut connection, account_id).await;
    let account = account.map_err(internal)?;
    let account = account.filter(|account| account.status == Status::Active);
    let account = account.ok_or_else(|| problem("source_owner_blocked", None))?;
    if kind == SourceKind::Folder && !account.is_admin {
        return Err(problem("source_folder_not_allowed", None));
    }
    Ok(account)
}
