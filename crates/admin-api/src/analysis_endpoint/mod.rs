//! The chat endpoint for analyses: `/api/v1/admin/analysis-endpoint`.

use serde::{Deserialize, Serialize};
use slovo_app::state::AppState;
use slovo_rules::server_settings::AnalysisForm;
use slovo_work::analysis::configured::{KeyUse, StoredSettings};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

mod get;
mod set;
mod test;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(get::get, set::set))
        .routes(routes!(test::test))
}

/// What an administrator enters.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AnalysisEndpointForm)]
pub(super) struct Form {
    /// Base address, for example `http://127.0.0.1:8080/v1`; empty as configured.
    #[serde(default)]
    url: String,
    /// Name of the model; empty as configured.
    #[serde(default)]
    model: String,
    /// A key for this address; empty removes the one that was entered before, and without the field
    /// it stays.
    #[serde(default)]
    key: Option<String>,
}

/// The endpoint as it is set, configured and in force. The key is shown nowhere.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalysisEndpoint)]
pub(super) struct View {
    /// As administrators set it; what is empty is as configured.
    set: AnalysisForm,
    /// Address in the server's configuration.
    configured_url: Option<String>,
    /// Model in the server's configuration.
    configured_model: Option<String>,
    /// Address in force; null where there is no endpoint.
    url: Option<String>,
    /// Model in force.
    model: Option<String>,
    /// What becomes of the keys there are.
    key: KeyUse,
    /// Scheme, host and port that a key was entered for.
    own_key_for: Option<String>,
}

impl View {
    fn of(state: &AppState, stored: &StoredSettings) -> Self {
        let config = &state.config.analysis;
        // Settings that cannot be used any more are shown as stored, but are not in force.
        let found = state.analyses.in_force(stored).ok().flatten();
        let key = match &found {
            Some(found) => found.key,
            None if config.api_key.is_some() || stored.key.is_some() => KeyUse::Withheld,
            None => KeyUse::Missing,
        };
        Self {
            set: stored.form.clone(),
            configured_url: config.given_url(),
            configured_model: config.given_model(),
            model: found.as_ref().map(|found| found.endpoint.model.clone()),
            url: found.map(|found| found.url),
            key,
            own_key_for: stored.key.as_ref().map(|key| key.place.clone()),
        }
    }
}
