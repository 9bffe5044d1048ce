//! What was found at a source.
#![expect(
    unused_qualifications,
    reason = "utoipa's macro repeats the type's path"
)]

use axum::extract::State;
use serde::Deserialize;
use slovo_app::http::{Document, Json, Path, Problem, Query};
use slovo_app::state::AppState;
use slovo_db::sources::recordings;
use slovo_db::sources::{self, Source};
use slovo_rules::source::SourceRecordingState;
use utoipa::IntoParams;
use uuid::Uuid;

use super::bodies::{RecordingBody, RecordingPage};
use crate::me::own::Own;
use crate::page::PageParams;
use crate::places;

/// Which recordings.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(in crate::me) struct StateParam {
    /// Only those in this state.
    state: Option<SourceRecordingState>,
}

/// The path of a recording at a source.
#[derive(Deserialize)]
pub(in crate::me) struct RecordingPath {
    recording_id: Uuid,
}

/// Lists what was found at a source.
#[utoipa::path(get, path = "/me/sources/{id}/recordings", tag = "me",
    operation_id = "list_source_recordings",
    params(("id" = Uuid, Path, description = "Source id"), PageParams, StateParam),
    responses(
        (status = OK, body = RecordingPage),
        (status = BAD_REQUEST, body = Document, description = "malformed_query"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(in crate::me) async fn list(
    State(state): State<AppState>,
    own: Own<Source>,
    Query(page): Query<PageParams>,
    Query(only): Query<StateParam>,
) -> Result<Json<RecordingPage>, Problem> {
    let after = page.after()?;
    let mut connection = state.db.read().await?;
    let source = own.item.id;
    let mut found =
        recordings::list(&mut connection, source, only.state, after, page.read()).await?;
    let next_cursor = page.cut(&mut found, |recording| (recording.found_at, recording.id));
    Ok(Json(RecordingPage {
        items: found.into_iter().map(Into::into).collect(),
        next_cursor,
    }))
}

/// Has a recording transcribed that was skipped or has failed. One that waits or was transcribed stays
/// as it is.
#[utoipa::path(post, path = "/me/sources/{id}/recordings/{recording_id}/start", tag = "me",
    operation_id = "start_source_recording",
    params(("id" = Uuid, Path, description = "Source id"),
        ("recording_id" = Uuid, Path, description = "Recording id at the source")),
    responses(
        (status = OK, body = RecordingBody),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "source_paused"),
    ))]
pub(in crate::me) async fn start(
    State(state): State<AppState>,
    own: Own<Source>,
    Path(RecordingPath { recording_id }): Path<RecordingPath>,
) -> Result<Json<RecordingBody>, Problem> {
    places::refuse_paused(own.item.is_active)?;
    let source = own.item.id;
    let mut transaction = state.db.write().await?;
    let found = recordings::find(&mut transaction, source, recording_id).await?;
    if found.is_none() {
        return Err(Problem::not_found());
    }
    if recordings::start_again(&mut transaction, recording_id).await? {
        sources::check_soon(&mut transaction, source, state.clock.now_ms()).await?;
    }
    let started = recordings::find(&mut transaction, source, recording_id).await?;
    transaction.commit().await?;
    Ok(Json(started.ok_or_else(Problem::not_found)?.into()))
}
