//! `GET /api/v1/jobs/{id}/assistant`: the conversation about a text.

use axum::extract::State;
use serde::Serialize;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::texts::assistant;
use utoipa::ToSchema;

use super::{AssistantMode, MessageBody};
use crate::jobs::OwnJob;

/// The questions about a text and their answers.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::jobs) struct AssistantHistory {
    /// How questions are answered on this server.
    mode: AssistantMode,
    /// The messages, the oldest first.
    messages: Vec<MessageBody>,
}

/// Returns the conversation with the assistant.
#[utoipa::path(get, path = "/jobs/{id}/assistant", tag = "assistant",
    operation_id = "get_assistant",
    params(("id" = String, Path, description = "Job id")),
    responses(
        (status = OK, body = AssistantHistory),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(in crate::jobs) async fn get(
    State(state): State<AppState>,
    own: OwnJob,
) -> Result<Json<AssistantHistory>, Problem> {
    let messages = assistant::list(&mut *state.db.read().await?, own.job.id).await?;
    let is_on = state.settings.current().await?.switches.assistant;
    Ok(Json(AssistantHistory {
        mode: if is_on {
            AssistantMode::of(&state.analyses.engines())
        } else {
            AssistantMode::None
        },
        messages: messages.into_iter().map(MessageBody::from).collect(),
    }))
}
