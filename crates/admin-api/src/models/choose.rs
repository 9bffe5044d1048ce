//! `PUT /api/v1/admin/models/{id}/use`: uses a model for a mode.

use axum::extract::State;
use serde::Deserialize;
use serde_json::json;
use slovo_accounts::audit::Change;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Path, Problem};
use slovo_app::state::AppState;
use slovo_engine::models::{self, State as OnDisk};
use slovo_models::serving;
use slovo_models::tasks::TaskError;
use slovo_rules::settings::TranscriptionType;
use utoipa::ToSchema;

use super::{Body, Error, current_state, find};

/// The mode that is to use the model.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ModelUseForm)]
pub(super) struct Form {
    /// The mode.
    mode: TranscriptionType,
}

/// Selects a model for a mode, overriding the server's configuration. It takes effect immediately
/// here and within seconds in other processes that have the file; running work finishes with the
/// model it started with.
#[utoipa::path(put, path = "/admin/models/{id}/use", tag = "admin", operation_id = "use_model",
    params(("id" = String, Path, description = "Id of the model.")), request_body = Form,
    responses(
        (status = OK, body = Body),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "model_missing, model_busy, \
            model_unfit: it cannot do what the mode needs"),
    ))]
pub(super) async fn choose(
    State(state): State<AppState>,
    Administrator(caller): Administrator,
    Path(id): Path<String>,
    Json(form): Json<Form>,
) -> Result<Json<Body>, Error> {
    let model = find(&state, &id)?;
    if !model.serves(form.mode) {
        return Err(Error::Unfit);
    }
    if state.models.seen(model).0.is_some() {
        return Err(TaskError::Busy.into());
    }
    let dir = state.models.fetcher().dir.clone();
    let state_on_disk = tokio::task::spawn_blocking(move || models::state(&dir, model)).await;
    if state_on_disk.map_err(Problem::internal)? == OnDisk::Missing {
        return Err(TaskError::Missing.into());
    }
    let serving = state.models.serving().now();
    let mut transaction = state.db.write().await.map_err(Problem::from)?;
    let mut choice = serving::stored(&mut transaction)
        .await
        .map_err(Problem::from)?;
    let before = choice.clone();
    choice.set(form.mode, model.id);
    if choice != before {
        let now = state.clock.now_ms();
        serving::store(&mut transaction, &choice, now)
            .await
            .map_err(Problem::from)?;
        let change = Change {
            action: "model.use",
            kind: "model",
            id: model.id,
            name: model.id,
            before: json!({ "transcription_type": form.mode, "model": serving.model(form.mode) }),
            after: json!({ "transcription_type": form.mode, "model": model.id }),
        };
        let written = state
            .audit()
            .record(&mut transaction, &caller, change)
            .await;
        written.map_err(Problem::internal)?;
        transaction.commit().await.map_err(Problem::from)?;
        state.jobs.apply_models().await.map_err(Problem::from)?;
    }
    Ok(Json(current_state(&state, model).await?))
}
