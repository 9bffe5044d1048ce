//! The chat endpoint that analyses texts: `/api/v1/admin/analysis-endpoint`.

use serde::Serialize;
use slovo_rules::server_settings::AnalysisForm;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::analysis::configured::{KeyUse, in_force};
use crate::state::AppState;

mod get;
mod set;
mod test;
#[cfg(test)]
mod tests;

/// The actions of this folder.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(get::get, set::set))
        .routes(routes!(test::test))
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
    /// What becomes of the server's key.
    key: KeyUse,
}

impl View {
    fn of(state: &AppState, set: AnalysisForm) -> Self {
        let config = &state.config.analysis;
        // What cannot be used any more is shown as stored, with nothing in force.
        let found = in_force(config, &set).ok().flatten();
        let key = match &found {
            Some(found) => found.key,
            None if config.api_key.is_some() => KeyUse::Withheld,
            None => KeyUse::Missing,
        };
        Self {
            set,
            configured_url: config.given_url(),
            configured_model: config.given_model(),
            model: found.as_ref().map(|found| found.endpoint.model.clone()),
            url: found.map(|found| found.url),
            key,
        }
    }
}
