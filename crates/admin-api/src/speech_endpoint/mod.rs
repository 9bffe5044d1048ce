//! The speech endpoint: `/api/v1/admin/speech-endpoint`.

use serde::{Deserialize, Serialize};
use slovo_app::routes;
use slovo_app::state::AppState;
use slovo_rules::speech_endpoint::SpeechEndpointForm;
use slovo_work::endpoint_keys::KeyUse;
use slovo_work::speech_endpoint::StoredSettings;
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
#[serde(default, deny_unknown_fields)]
#[schema(as = SpeechEndpointForm)]
pub(super) struct Form {
    /// Base address, for example `http://192.168.1.20:8000/v1`. Empty: there is no endpoint.
    url: String,
    /// Name of the model.
    model: String,
    /// Whether it serves Full.
    full: bool,
    /// Whether it serves Lite.
    lite: bool,
    /// Codes of the languages that it serves, without duplicates; empty means any.
    languages: Vec<String>,
    /// Whether it translates to English.
    translates: bool,
    /// Parts of a recording that are sent at the same time, 1 to 16.
    parallel: i64,
    /// Whether the embedded engine recognises what the endpoint does not answer.
    falls_back: bool,
    /// Key for this address. An empty key removes the stored one; if the field is absent, the
    /// stored key is kept.
    key: Option<String>,
}

impl Default for Form {
    fn default() -> Self {
        let form = SpeechEndpointForm::default();
        Self {
            url: form.url,
            model: form.model,
            full: form.full,
            lite: form.lite,
            languages: form.languages,
            translates: form.translates,
            parallel: form.parallel,
            falls_back: form.falls_back,
            key: None,
        }
    }
}

impl Form {
    /// The settings, and the key if one was entered.
    fn parts(self) -> (SpeechEndpointForm, Option<String>) {
        let form = SpeechEndpointForm {
            url: self.url,
            model: self.model,
            full: self.full,
            lite: self.lite,
            languages: self.languages,
            translates: self.translates,
            parallel: self.parallel,
            falls_back: self.falls_back,
        };
        (form, self.key)
    }
}

/// The endpoint as it is stored. The key is never returned.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SpeechEndpoint)]
pub(super) struct View {
    /// The settings.
    set: SpeechEndpointForm,
    /// Whether there is a key, and whether it is sent.
    key: KeyUse,
    /// Scheme, host and port that the key was entered for.
    #[schema(required)]
    own_key_for: Option<String>,
}

impl View {
    fn of(state: &AppState, stored: &StoredSettings) -> Self {
        Self {
            set: stored.form.clone(),
            key: state.jobs.speech_endpoints().key_use(stored),
            own_key_for: stored.key.as_ref().map(|key| key.place.clone()),
        }
    }
}
