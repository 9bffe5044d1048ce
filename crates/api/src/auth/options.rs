//! `GET /api/v1/auth/options`: the ways to sign in, and whether the server sends mail.

#![expect(
    unused_qualifications,
    reason = "utoipa's macro repeats the type's path"
)]

use axum::extract::State;
use serde::{Deserialize, Serialize};
use slovo_accounts::plans::edition::{Edition, edition};
use slovo_app::auth::openid::OpenId;
use slovo_app::http::{Document, Json, Problem, Query};
use slovo_app::state::AppState;
use slovo_db::plans;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::google::mark::MARK_PATH;

/// What the pages also need.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct OptionsQuery {
    /// The plan chosen on the price list, whose name is returned.
    plan: Option<Uuid>,
}

/// What the sign-in pages need to know about this server.
#[derive(Serialize, ToSchema)]
pub(super) struct Options {
    /// Whether sign-in with an external provider (Google unless another one is configured) is
    /// configured and enabled.
    google: bool,
    /// Name of that provider; null if there is none.
    #[schema(required)]
    provider: Option<String>,
    /// Whether it is Google, which has its own logo.
    provider_is_google: bool,
    /// Path of the logo that is configured for it; null if there is none.
    #[schema(required)]
    provider_mark: Option<&'static str>,
    /// Whether users can create accounts.
    sign_up: bool,
    /// Whether mails are sent; if not, they are shown in the server's terminal and stored in its
    /// data folder.
    mail: bool,
    /// Name of the requested plan, if it is on the price list.
    #[schema(required)]
    chosen_plan: Option<String>,
}

/// Returns how users can sign in to this server, and whether email is sent.
#[utoipa::path(get, path = "/options", tag = "auth", operation_id = "sign_in_options", security(()),
    params(OptionsQuery),
    responses(
        (status = OK, body = Options),
        (status = BAD_REQUEST, body = Document, description = "malformed_query"),
    ))]
pub(super) async fn options(
    State(state): State<AppState>,
    Query(wanted): Query<OptionsQuery>,
) -> Result<Json<Options>, Problem> {
    let chosen_plan = match wanted.plan {
        Some(id) => name_of(&state, id).await?,
        None => None,
    };
    let switches = state.settings.current().await?.switches;
    let openid = state.openid.as_ref().filter(|_| switches.google);
    let provider = openid.map(OpenId::name);
    Ok(Json(Options {
        google: provider.is_some(),
        provider: provider.map(|(name, _)| name.to_owned()),
        provider_is_google: provider.is_some_and(|(_, is_google)| is_google),
        provider_mark: openid.and(state.openid_mark.as_ref()).map(|_| MARK_PATH),
        sign_up: switches.sign_up,
        mail: state.mail.reaches_recipients(),
        chosen_plan,
    }))
}

/// The name of a plan on the price list; `None` for any other plan.
async fn name_of(state: &AppState, id: Uuid) -> slovo_db::Result<Option<String>> {
    let mut connection = state.db.read().await?;
    if edition(state.config.edition, &mut connection).await? != Edition::Service {
        return Ok(None);
    }
    let plan = plans::get(&mut connection, id).await?;
    Ok(plan
        .filter(|plan| plan.form.is_active)
        .map(|plan| plan.form.name))
}
