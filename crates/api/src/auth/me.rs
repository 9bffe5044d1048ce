//! `GET /api/v1/auth/me`: the signed-in account.

use slovo_app::auth::Caller;
use slovo_app::auth::session::User;
use slovo_app::http::{Document, Json};

/// Returns the signed-in account.
#[utoipa::path(get, path = "/me", tag = "auth",
    responses(
        (status = OK, body = User),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
    ))]
pub(super) async fn me(caller: Caller) -> Json<User> {
    Json(caller.account.into())
}
