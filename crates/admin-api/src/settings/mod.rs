//! Limits, switches and defaults of the server: `/api/v1/admin/settings`.

use serde::{Deserialize, Deserializer, Serialize};
use slovo_app::http::object;
use slovo_app::routes;
use slovo_app::state::AppState;
use slovo_platform::disk::free_bytes;
use slovo_rules::server_settings::{MAX_UPLOAD_LIMIT, ServerDefaults, ServerLimits, Switches};
use slovo_rules::upload::MAX_UPLOAD_BYTES;
use slovo_server_settings::Settings;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

mod get;
mod set;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(get::get, set::set))
}

/// The settings that administrators can change.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = ServerSettings)]
#[serde(deny_unknown_fields)]
pub(super) struct Body {
    /// The limits.
    #[serde(deserialize_with = "object")]
    limits: ServerLimits,
    /// The switches.
    switches: Switches,
    /// The defaults of new transcriptions. If absent in a request, they are unchanged.
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(value_type = ServerDefaults)]
    defaults: Option<ServerDefaults>,
}

/// Reads an object that may be absent, but not null.
fn given<'de, D: Deserializer<'de>>(from: D) -> Result<Option<ServerDefaults>, D::Error> {
    object(from).map(Some)
}

impl From<Settings> for Body {
    fn from(settings: Settings) -> Self {
        Self {
            limits: settings.limits,
            switches: settings.switches,
            defaults: Some(settings.defaults),
        }
    }
}

/// Maximum for the upload limit, in bytes: the free disk space, but at least the default limit and
/// the limit that is already set.
fn most_upload_bytes(state: &AppState, stored: &ServerLimits) -> u64 {
    free_bytes(state.config.data())
        .unwrap_or_default()
        .clamp(MAX_UPLOAD_BYTES, MAX_UPLOAD_LIMIT)
        .max(stored.upload_bytes())
}
