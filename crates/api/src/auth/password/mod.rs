//! Resetting and changing passwords: `/api/v1/auth/password`.

use slovo_app::auth::session::{new_token, token_hash};
use slovo_app::routes;
use slovo_app::state::AppState;
use slovo_db::Connection;
use slovo_db::accounts::{self, Account, resets};
use slovo_mail::Mail;
use utoipa_axum::router::OpenApiRouter;

mod change;
mod forgot;
mod reset;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(forgot::forgot))
        .routes(routes!(reset::reset))
        .routes(routes!(change::change))
}

/// Makes a link that sets the password of an account once, valid for `hours`; earlier links become
/// invalid.
///
/// # Errors
/// When the database fails.
pub async fn make_link(
    state: &AppState,
    connection: &mut Connection,
    user_id: &str,
    hours: u32,
) -> slovo_db::Result<String> {
    let token = new_token(&*state.random);
    let now = state.clock.now_ms();
    let expires_at = now + i64::from(hours) * 60 * 60 * 1000;
    resets::insert(connection, user_id, &token_hash(&token), now, expires_at).await?;
    // In the fragment, so that the token appears in no log and no Referer header.
    let origin = state.config.public_url();
    Ok(format!("{}/reset-password#token={token}", origin.as_str()))
}

/// Sets the password and deletes the account's reset links; returns the account.
async fn replace(
    state: &AppState,
    connection: &mut Connection,
    user_id: &str,
    hash: &str,
) -> anyhow::Result<Account> {
    accounts::set_password(connection, user_id, hash, state.clock.now_ms()).await?;
    resets::remove_of(connection, user_id).await?;
    let account = accounts::get(connection, user_id).await?;
    account.ok_or_else(|| anyhow::anyhow!("an account was deleted during its password change"))
}

/// Mails the owner, so that nobody can change the password unnoticed.
fn notify_owner(state: &AppState, account: &Account) {
    let mail = Mail::PasswordChanged {
        when: state.clock.now(),
    };
    let locale = account.locale.unwrap_or_default();
    state.mail.send_soon(&account.email, locale, &mail);
}
