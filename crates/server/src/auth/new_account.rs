//! The beginning of an account, whichever way its address was shown to be its owner's.

use slovo_db::accounts::{self, Account, NewAccount};
use slovo_db::{Connection, registrations, roles};

use crate::state::AppState;

/// Makes the account of a (normalised) address, in the caller's transaction; without a password
/// where none is given. Sign-ups of the address are over with it. The first account of an empty
/// server becomes its administrator.
///
/// # Errors
/// The constraint `accounts_email_key` if the address is taken.
pub async fn open(
    state: &AppState,
    connection: &mut Connection,
    email: &str,
    password_hash: Option<&str>,
) -> slovo_db::Result<Account> {
    let (id, synced_user_id) = (state.new_id(), state.new_id());
    let now = state.clock.now_ms();
    let new = NewAccount {
        id: &id,
        synced_user_id: &synced_user_id,
        email,
        password_hash,
        created_at: now,
    };
    accounts::insert(connection, &new).await?;
    registrations::supersede(connection, email, now).await?;
    if roles::claim_founding(connection, &id, now).await? {
        roles::grant_admin(connection, &id, now).await?;
    }
    let account = accounts::get(connection, &id).await?;
    account
        .ok_or_else(|| slovo_db::Error::row("accounts", id, "it has just been made and is missing"))
}
