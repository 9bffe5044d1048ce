//! Administration of accounts: creating, renaming, ending sessions, sending password links,
//! exporting and deleting. Plans, roles, minutes and blocking have their own files beside this
//! folder.

use slovo_api::auth::password::make_link;
use slovo_app::auth::Caller;
use slovo_app::routes;
use slovo_app::state::AppState;
use slovo_db::Connection;
use slovo_db::accounts::{self, Account, identities};
use slovo_mail::Mail;
use slovo_rules::account::{INVITATION_DAYS, SENT_LINK_HOURS};
use utoipa_axum::router::OpenApiRouter;

use super::Error;

mod create;
mod delete;
mod end_sessions;
mod export;
mod rename;
mod send_link;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(create::create))
        .routes(routes!(delete::delete))
        .routes(routes!(rename::rename))
        .routes(routes!(end_sessions::end))
        .routes(routes!(send_link::send))
        .routes(routes!(export::link))
}

/// The account, if it is not the caller's own, which is changed in its settings.
async fn other_account(
    connection: &mut Connection,
    caller: &Caller,
    id: &str,
) -> Result<Account, Error> {
    let account = accounts::get(connection, id).await?;
    let account = account.ok_or(Error::NotFound)?;
    if account.id == caller.user_id {
        return Err(Error::OwnAccount);
    }
    Ok(account)
}

/// The mail with a link to set a password: an invitation, if the account has never had a way to
/// sign in.
async fn mail_content(
    state: &AppState,
    connection: &mut Connection,
    caller: &Caller,
    account: &Account,
) -> slovo_db::Result<Mail> {
    let is_new =
        !account.has_password && identities::list(connection, &account.id).await?.is_empty();
    if !is_new {
        let hours = SENT_LINK_HOURS;
        let link = make_link(state, connection, &account.id, hours).await?;
        return Ok(Mail::Reset { link, hours });
    }
    let hours = INVITATION_DAYS * 24;
    Ok(Mail::Invitation {
        by: caller.account.email.clone(),
        link: make_link(state, connection, &account.id, hours).await?,
        days: INVITATION_DAYS,
    })
}

/// Sends the mail; returns whether the mail server accepted it.
async fn mailed(state: &AppState, account: &Account, mail: &Mail) -> bool {
    let locale = account.locale.unwrap_or_default();
    let result = state.mail.send(&account.email, locale, mail).await;
    if let Err(error) = &result {
        tracing::warn!(%error, kind = mail.kind(), "a mail to a user could not be sent");
    }
    result.is_ok()
}
