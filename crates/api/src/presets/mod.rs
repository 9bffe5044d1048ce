//! Presets: `/api/v1/presets`.
//!
//! Users see public presets and their own. The owner or an administrator can change and delete a
//! preset; only administrators can make it public or recommend it.

use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use serde::Serialize;
use slovo_app::auth::Caller;
use slovo_app::http::{Problem, time_limit};
use slovo_app::routes;
use slovo_app::state::AppState;
use slovo_db::Connection;
use slovo_db::presets::{self, Preset, Viewer};
use slovo_platform::clock::from_ms;
use slovo_rules::codes::ProblemCode;
use slovo_rules::preset::{MAX_OWN, PresetCategory, PresetForm};
use slovo_rules::settings::{TranscriptionSettings, TranscriptionType};
use slovo_rules::violation::Violations;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use uuid::Uuid;

pub mod audit;
mod create;
mod delete;
mod get;
pub mod import;
mod list;
mod update;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    let import = OpenApiRouter::new()
        .routes(routes!(import::import))
        .layer(DefaultBodyLimit::max(import::MAX_BODY));
    let router = OpenApiRouter::new()
        .routes(routes!(list::list, create::create))
        .merge(import)
        .routes(routes!(get::get, update::update, delete::delete));
    time_limit(router)
}

/// A preset.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Preset)]
pub struct PresetBody {
    /// Its id.
    pub id: Uuid,
    /// Its permanent id, which is also used in file names.
    pub preset_id: String,
    /// Name.
    pub name: String,
    /// Name in English, if there is one.
    #[schema(required)]
    pub name_en: Option<String>,
    /// Description.
    #[schema(required)]
    pub description: Option<String>,
    /// Description in English, if there is one.
    #[schema(required)]
    pub description_en: Option<String>,
    /// Its category.
    pub category: PresetCategory,
    /// Whether all users can see it.
    pub is_public: bool,
    /// Whether it is recommended.
    pub is_default: bool,
    /// Mode, as in the settings.
    pub transcription_type: TranscriptionType,
    /// Language, as in the settings.
    pub language_code: String,
    /// Its settings.
    pub settings: TranscriptionSettings,
    /// Its settings for readers of English, if they differ: language, prompt, vocabulary, labels.
    #[schema(required)]
    pub settings_en: Option<TranscriptionSettings>,
    /// Its position among the presets for a quick start, which come first in every list and need no
    /// language model; null for all others.
    #[schema(required)]
    pub quick_start: Option<i64>,
    /// Number of jobs that were created with it.
    pub usage_count: u64,
    /// Whether it is a system preset, which has no owner.
    pub is_system: bool,
    /// Whether it belongs to the caller.
    pub is_own: bool,
    /// When it was created.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When it was last changed.
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

impl PresetBody {
    /// The preset as this user sees it.
    pub fn seen_by(user_id: &str, preset: Preset) -> Self {
        Self {
            id: preset.id,
            preset_id: preset.preset_id,
            name: preset.name,
            name_en: preset.name_en,
            description: preset.description,
            description_en: preset.description_en,
            category: preset.category,
            is_public: preset.is_public,
            is_default: preset.is_default,
            transcription_type: preset.settings.transcription_type,
            language_code: preset.settings.language_code.clone(),
            settings: preset.settings,
            settings_en: preset.settings_en,
            quick_start: preset.quick_start,
            usage_count: preset.usage_count,
            is_system: preset.user_id.is_none(),
            is_own: preset.user_id.as_deref() == Some(user_id),
            created_at: from_ms(preset.created_at),
            updated_at: from_ms(preset.updated_at),
        }
    }
}

/// Several presets.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PresetList)]
struct List {
    presets: Vec<PresetBody>,
}

impl List {
    fn seen_by(caller: &Caller, presets: Vec<Preset>) -> Self {
        let body = |preset| PresetBody::seen_by(&caller.user_id, preset);
        Self {
            presets: presets.into_iter().map(body).collect(),
        }
    }
}

/// Why a preset is not created or changed.
#[derive(Debug)]
enum Error {
    /// The input breaks rules.
    Invalid(Violations),
    /// There is no such preset, or the caller cannot see it.
    NotFound,
    /// The caller can see it but not change it.
    NotOwner,
    /// Only administrators can make presets public or recommend them.
    PublishingDenied,
    /// The caller has the maximum number of presets.
    TooMany,
    /// An internal error.
    Internal(Problem),
}

impl From<anyhow::Error> for Error {
    fn from(error: anyhow::Error) -> Self {
        Self::Internal(Problem::internal(error))
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

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Self::Invalid(violations) => violations.into(),
            Self::NotFound => Problem::not_found(),
            Self::NotOwner => Problem::forbidden(),
            Self::PublishingDenied => {
                Problem::new(StatusCode::FORBIDDEN, ProblemCode::PublishingDenied)
            }
            Self::TooMany => Problem::new(StatusCode::CONFLICT, ProblemCode::TooManyPresets)
                .params([("max".to_owned(), MAX_OWN.into())].into()),
            Self::Internal(problem) => problem,
        }
        .into_response()
    }
}

/// The caller as a viewer of presets.
pub(super) fn viewer(caller: &Caller) -> Viewer<'_> {
    Viewer {
        user_id: &caller.user_id,
        is_admin: caller.is_admin(),
    }
}

/// The preset `id`, if the caller can see it.
async fn visible_preset(
    connection: &mut Connection,
    caller: &Caller,
    id: Uuid,
) -> Result<Preset, Error> {
    let preset = presets::find(connection, viewer(caller), id).await?;
    preset.ok_or(Error::NotFound)
}

/// The preset `id`, if the caller can change it.
async fn changeable(
    connection: &mut Connection,
    caller: &Caller,
    id: Uuid,
) -> Result<Preset, Error> {
    let preset = visible_preset(connection, caller, id).await?;
    let is_own = preset.user_id.as_deref() == Some(&*caller.user_id);
    if is_own || caller.is_admin() {
        Ok(preset)
    } else {
        Err(Error::NotOwner)
    }
}

/// Checks that the caller may make a preset public or recommend it, if the form asks for it.
fn may_publish(caller: &Caller, form: &PresetForm) -> Result<(), Error> {
    if (form.is_public || form.is_default) && !caller.is_admin() {
        return Err(Error::PublishingDenied);
    }
    Ok(())
}

/// A new preset's id.
fn new_id(state: &AppState) -> Result<Uuid, Error> {
    let id = state.new_id().parse();
    id.map_err(|error: uuid::Error| Error::Internal(Problem::internal(error)))
}
