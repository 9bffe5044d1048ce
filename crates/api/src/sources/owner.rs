//! Whose a source is.

use slovo_app::auth::session::Role;
use slovo_app::auth::{Caller, Credential};
use slovo_app::state::AppState;
use slovo_db::sources::{Problem, Source};

use crate::places;

/// The owner, on whose behalf the jobs are created.
///
/// # Errors
/// It may have no sources any more.
pub(super) async fn owner(state: &AppState, source: &Source) -> Result<Caller, Problem> {
    let account = places::owner(state, &source.account_id, source.kind).await?;
    Ok(Caller {
        user_id: account.id.clone(),
        credential: Credential::Source {
            id: source.id.to_string(),
        },
        role: if account.is_admin {
            Role::Admin
        } else {
            Role::User
        },
        account,
    })
}
