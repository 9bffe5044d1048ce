//! `/v1/models`: the names of models that requests may use.

use axum::extract::{Path, State};
use serde::Serialize;
use slovo_app::auth::Caller;
use slovo_app::http::Json;
use slovo_app::state::AppState;
use slovo_rules::mode::TranscriptionType;
use utoipa::ToSchema;

use super::error::{ErrorBody, OpenAiError};

/// Names that OpenAI's clients use. All of them are the model of the Full mode here.
const ALIASES: [&str; 5] = [
    "whisper-1",
    "gpt-4o-transcribe",
    "gpt-4o-mini-transcribe",
    DIARIZING,
    "gpt-transcribe",
];

/// The name with which speakers are told apart.
const DIARIZING: &str = "gpt-4o-transcribe-diarize";

/// What a model's name asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NamedModel {
    /// Mode of recognition.
    pub mode: TranscriptionType,
    /// Whether speakers are told apart.
    pub diarizes: bool,
}

/// A model.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OpenAiModel)]
pub(super) struct ModelBody {
    /// Its name.
    id: String,
    /// Always `model`.
    object: &'static str,
    /// When this server was started, seconds since 1970.
    created: i64,
    /// Always `slovo`.
    owned_by: &'static str,
}

/// The models.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OpenAiModelList)]
pub(super) struct ModelList {
    /// Always `list`.
    object: &'static str,
    /// The modes of this server, their models, and the names of other services' models.
    data: Vec<ModelBody>,
}

/// The names with their meaning. The modes and their models come first.
fn names(state: &AppState) -> Vec<(String, NamedModel)> {
    let serving = state.models.serving().now();
    let mut names: Vec<(String, NamedModel)> = Vec::new();
    for mode in [TranscriptionType::Full, TranscriptionType::Lite] {
        let meaning = NamedModel {
            mode,
            diarizes: false,
        };
        names.push((mode.as_str().to_owned(), meaning));
        let id = serving.model(mode);
        // Both modes may have the same model.
        if names.iter().all(|(name, _)| name != id) {
            names.push((id.to_owned(), meaning));
        }
    }
    let aliases = ALIASES.map(|name| {
        let meaning = NamedModel {
            mode: TranscriptionType::Full,
            diarizes: name == DIARIZING,
        };
        (name.to_owned(), meaning)
    });
    names.extend(aliases);
    names
}

/// What this name asks for.
///
/// # Errors
/// There is no such model.
pub(super) fn resolve(state: &AppState, name: &str) -> Result<NamedModel, OpenAiError> {
    let mut names = names(state).into_iter();
    let found = names.find(|(known, _)| known == name);
    found
        .map(|(_, meaning)| meaning)
        .ok_or_else(|| OpenAiError::no_model(name))
}

fn body(state: &AppState, id: String) -> ModelBody {
    ModelBody {
        id,
        object: "model",
        created: state.started_at / 1000,
        owned_by: "slovo",
    }
}

/// Lists the names of models.
#[utoipa::path(get, path = "/v1/models", tag = "openai", operation_id = "openai_list_models",
    responses(
        (status = OK, body = ModelList),
        (status = UNAUTHORIZED, body = ErrorBody, description = "invalid_api_key"),
    ))]
pub(super) async fn list(State(state): State<AppState>, _caller: Caller) -> Json<ModelList> {
    let names = names(&state).into_iter();
    Json(ModelList {
        object: "list",
        data: names.map(|(name, _)| body(&state, name)).collect(),
    })
}

/// Returns a model.
#[utoipa::path(get, path = "/v1/models/{model}", tag = "openai",
    operation_id = "openai_get_model",
    params(("model" = String, Path, description = "Name of the model")),
    responses(
        (status = OK, body = ModelBody),
        (status = UNAUTHORIZED, body = ErrorBody, description = "invalid_api_key"),
        (status = NOT_FOUND, body = ErrorBody, description = "model_not_found"),
    ))]
pub(super) async fn get(
    State(state): State<AppState>,
    _caller: Caller,
    Path(model): Path<String>,
) -> Result<Json<ModelBody>, OpenAiError> {
    resolve(&state, &model)?;
    Ok(Json(body(&state, model)))
}
