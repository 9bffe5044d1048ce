//! `GET /api/v1/auth/me`: who is signed in.

use crate::auth::Caller;
use crate::auth::session::User;
use crate::http::{Document, Json};

/// The signed-in account.
#[utoipa::path(get, path = "/me", tag = "auth",
    responses(
        (status = OK, body = User),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
    ))]
pub(super) async fn me(caller: Caller) -> Json<User> {
    Json(caller.account.into())
}
