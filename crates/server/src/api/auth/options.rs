//! `GET /api/v1/auth/options`: which ways in there are, and whether mails arrive.

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::openid::OpenId;
use crate::http::{Json, Problem};
use crate::state::AppState;

/// What the sign-in pages need to know of this server.
#[derive(Serialize, ToSchema)]
pub(super) struct Options {
    /// Whether sign-in with another provider (Google unless the server names another) is set up,
    /// and on.
    google: bool,
    /// What that provider is called; null where there is none.
    #[schema(required)]
    provider: Option<String>,
    /// Whether it is Google itself, which has a mark of its own.
    provider_is_google: bool,
    /// Whether new accounts may be made.
    sign_up: bool,
    /// Whether mails leave the server; if not, they are in its terminal and in its data folder.
    mail: bool,
}

/// Returns how users can sign in to this server, and whether email is sent.
#[utoipa::path(get, path = "/options", tag = "auth", operation_id = "sign_in_options", security(()),
    responses((status = OK, body = Options)))]
pub(super) async fn options(State(state): State<AppState>) -> Result<Json<Options>, Problem> {
    let switches = state.settings.current().await?.switches;
    let openid = state.openid.as_ref().filter(|_| switches.google);
    let named = openid.map(OpenId::name);
    Ok(Json(Options {
        google: named.is_some(),
        provider: named.map(|(name, _)| name.to_owned()),
        provider_is_google: named.is_some_and(|(_, is_google)| is_google),
        sign_up: switches.sign_up,
        mail: state.mail.leaves(),
    }))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::{Backend, apply, each_database, with_server};

    #[apply(each_database!)]
    fn a_bare_server_says_what_it_is(backend: Backend) {
        with_server(backend, async |server| {
            let options = server.get("/api/v1/auth/options").await.json();
            assert_eq!(
                options,
                json!({"google": false, "provider": null, "provider_is_google": false,
                    "sign_up": true, "mail": true})
            );
        });
    }
}
