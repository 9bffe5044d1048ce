//! Creates an account, whichever way its e-mail address was verified.

use slovo_db::accounts::{self, Account, NewAccount, registrations, roles};
use slovo_db::site::admin_notices::{self, NoticeTopic};
use slovo_db::texts::samples;
use slovo_db::{Connection, plans};
use uuid::Uuid;

use super::Parts;
use crate::ids::row_id;
use crate::plans::trials;

/// Creates the account of a (normalised) address in the caller's transaction; without a password if
/// none is given. Ends all pending sign-ups of the address. The first account of an empty server
/// becomes its administrator. If trials are offered the account starts with one; its sample
/// recording is created when the owner first lists their jobs.
///
/// # Errors
/// The constraint `accounts_email_key` if the address is taken.
pub async fn open(
    parts: Parts<'_>,
    connection: &mut Connection,
    email: &str,
    password_hash: Option<&str>,
) -> slovo_db::Result<Account> {
    let (id, synced_user_id) = (parts.new_id(), parts.new_id());
    let now = parts.clock.now_ms();
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
    trials::begin(parts.edition, connection, &id, parts.random, now).await?;
    if parts.has_samples {
        samples::mark_due(connection, &id).await?;
    }
    let account = accounts::get(connection, &id).await?;
    account.ok_or_else(|| slovo_db::Error::row("accounts", id, "missing right after its creation"))
}

/// Requests the plan chosen before sign-up, in the transaction that creates the account;
/// administrators are notified as for any other request. A plan that is not offered (any more) is
/// not requested.
///
/// # Errors
/// When the database fails.
pub async fn request_plan(
    parts: Parts<'_>,
    connection: &mut Connection,
    user_id: &str,
    plan_id: Uuid,
) -> slovo_db::Result<()> {
    let plan = plans::get(&mut *connection, plan_id).await?;
    let listed = plan.is_some_and(|plan| plan.form.is_active);
    if !listed {
        return Ok(());
    }
    let now = parts.clock.now_ms();
    let id = row_id(parts.random, now, "plan_requests")?;
    plans::requests::insert(connection, id, user_id, plan_id, "", now).await?;
    admin_notices::insert(connection, NoticeTopic::PlanRequest, id, now).await
}
