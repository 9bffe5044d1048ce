//! The chat endpoint for analyses: `/api/v1/admin/analysis-endpoint`.

use serde::{Deserialize, Serialize};
use slovo_app::routes;
use slovo_app::state::AppState;
use slovo_rules::server_settings::AnalysisForm;
use slovo_work::analysis::configured::StoredSettings;
use slovo_work::endpoint_keys::KeyUse;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

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
    /// Base address, for example `http://127.0.0.1:8080/v1`. If empty, the configured one is used.
    #[serde(default)]
    url: String,
    /// Name of the model. If empty, the configured one is used.
    #[serde(default)]
    model: String,
    /// Key for this address. An empty key removes the stored one; if the field is absent, the
    /// stored key is kept.
    #[serde(default)]
    key: Option<String>,
}

/// The endpoint: the stored settings, the server's configuration and the values in use. The key is
/// never returned.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalysisEndpoint)]
pub(super) struct View {
    /// The administrators' settings. Empty fields use the server's configuration.
    set: AnalysisForm,
    /// Address in the server's configuration.
    configured_url: Option<String>,
    /// Model in the server's configuration.
    configured_model: Option<String>,
    /// Address in use; null if there is no endpoint.
    url: Option<String>,
    /// Model in use.
    model: Option<String>,
    /// Whether there is a key, and whether it is sent.
    key: KeyUse,
    /// Scheme, host and port that the administrators' key was entered for.
    own_key_for: Option<String>,
}

impl View {
    fn of(state: &AppState, stored: &StoredSettings) -> Self {
        let config = &state.config.analysis;
        // Settings that can no longer be used are shown as stored, but are not in use.
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
