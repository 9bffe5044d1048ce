//! `/v1/models`: the names of models that requests may use.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::Serialize;
use slovo_app::auth::Caller;
use slovo_app::http::Json;
use slovo_app::state::AppState;
use utoipa::ToSchema;

use super::error::{ErrorBody, no_model};
use crate::models::{self, NamedModel};
use crate::refusal::Refusal;

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

/// What this name asks for; `None` if there is no such model.
pub(super) fn resolve(state: &AppState, name: &str) -> Option<NamedModel> {
    let alias = ALIASES.contains(&name).then(|| NamedModel {
        diarizes: name == DIARIZING,
        ..NamedModel::FULL
    });
    alias.or_else(|| models::find(state, name))
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
    let own = models::names(&state).into_iter().map(|(name, _)| name);
    let names = own.chain(ALIASES.map(str::to_owned));
    Json(ModelList {
        object: "list",
        data: names.map(|name| body(&state, name)).collect(),
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
) -> Result<Json<ModelBody>, Refusal> {
    if resolve(&state, &model).is_none() {
        return Err(no_model(StatusCode::NOT_FOUND, &model));
    }
    Ok(Json(body(&state, model)))
}
