//! Administration of all presets: `/api/v1/admin/presets`. A single preset is changed and deleted
//! with `/api/v1/presets/{id}`.

use axum::extract::DefaultBodyLimit;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use slovo_api::presets::PresetBody;
use slovo_api::presets::import::MAX_BODY;
use slovo_app::http::Problem;
use slovo_app::routes;
use slovo_app::state::AppState;
use slovo_db::presets::managed::PresetWithOwner;
use slovo_rules::violation::Violations;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

mod import;
mod list;
mod load_standard;
mod standard;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    let import = OpenApiRouter::new()
        .routes(routes!(import::import))
        .layer(DefaultBodyLimit::max(MAX_BODY));
    OpenApiRouter::new()
        .routes(routes!(list::list))
        .merge(import)
        .routes(routes!(standard::get, load_standard::load))
}

/// A preset as administrators see it.
#[derive(Serialize, ToSchema)]
#[schema(as = ManagedPreset)]
pub(super) struct ManagedPreset {
    #[serde(flatten)]
    preset: PresetBody,
    /// The owner's address; null for a system preset.
    #[schema(required)]
    owner_email: Option<String>,
}

impl ManagedPreset {
    /// The preset as this administrator sees it.
    fn seen_by(user_id: &str, managed: PresetWithOwner) -> Self {
        Self {
            preset: PresetBody::seen_by(user_id, managed.preset),
            owner_email: managed.owner_email,
        }
    }
}

/// Why nothing was imported.
#[derive(Debug)]
enum Error {
    /// The input breaks rules.
    Invalid(Violations),
    Internal(anyhow::Error),
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Self::Invalid(violations) => Problem::from(violations),
            Self::Internal(error) => Problem::internal(error),
        }
        .into_response()
    }
}

impl From<Violations> for Error {
    fn from(violations: Violations) -> Self {
        Self::Invalid(violations)
    }
}

impl From<slovo_db::Error> for Error {
    fn from(error: slovo_db::Error) -> Self {
        Self::Internal(error.into())
    }
}

impl From<anyhow::Error> for Error {
    fn from(error: anyhow::Error) -> Self {
        Self::Internal(error)
    }
}
