//! What sources and targets share: places elsewhere, and work there under a lease.

pub(crate) mod lease;
pub(crate) mod password;
pub(crate) mod problem;

use axum::http::StatusCode;
use reqwest::Url;
use slovo_app::http::Problem as Refusal;
use slovo_app::state::AppState;
use slovo_db::accounts::{self, Account, Status};
use slovo_db::sources::Problem;
use slovo_fetch::FetchError;
use slovo_rules::codes::ProblemCode;
use slovo_rules::source::SourceKind;
use slovo_rules::url::UrlKind;

use crate::urls::fetch_problem;
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

/// Checks an address as far as possible without network access.
///
/// # Errors
/// The server must not connect to it.
pub(crate) fn check_address(state: &AppState, location: &str) -> Result<(), Refusal> {
    let address = Url::parse(location).map_err(|_| FetchError::silent("no address"));
    let accepted = address.and_then(|address| state.fetch.accepts(&address, &UrlKind::Other));
    accepted.map_err(|error| fetch_problem(&error))
}

/// The host of an address, for the log: the rest may be secret.
pub(crate) fn host(location: &str) -> Option<String> {
    let url = Url::parse(location).ok()?;
    url.host_str().map(str::to_owned)
}

/// Refuses what is not done while a place is paused.
///
/// # Errors
/// It is paused.
pub(crate) fn refuse_paused(is_active: bool) -> Result<(), Refusal> {
    if is_active {
        return Ok(());
    }
    let paused = ProblemCode::SourcePaused;
    Err(Refusal::new(StatusCode::CONFLICT, paused))
}
