//! `POST /api/v1/jobs/{id}/marks` and `DELETE /api/v1/jobs/{id}/marks/{mark_id}`: names for
//! versions of a transcript.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use slovo_app::http::{Document, Json, Path, Problem};
use slovo_app::state::AppState;
use slovo_db::texts::marks::{self, NewMark};
use slovo_rules::codes::ProblemCode;
use slovo_rules::mark::{MAX_MARKS, MAX_NAME};
use slovo_rules::violation::{Code, Violation, Violations};
use utoipa::ToSchema;
use uuid::Uuid;

use super::OwnJob;
use super::history::MarkBody;

/// A name for the current state of a run.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewMarkBody {
    /// The run.
    version: u32,
    /// The name: 1 to 80 characters.
    name: String,
}

/// Names the current version of a run.
#[utoipa::path(post, path = "/jobs/{id}/marks", tag = "edits", operation_id = "create_mark",
    params(("id" = String, Path, description = "Job id")),
    request_body = NewMarkBody,
    responses(
        (status = CREATED, body = MarkBody),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "transcript_not_ready; too_many_marks"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(super) async fn create(
    State(state): State<AppState>,
    own: OwnJob,
    Json(body): Json<NewMarkBody>,
) -> Result<(StatusCode, Json<MarkBody>), Problem> {
    let name = valid_name(&body.name)?;
    let id = state.new_id().parse().map_err(Problem::internal)?;
    let mark = NewMark {
        id,
        job: own.job.id,
        version: i64::from(body.version),
        name: &name,
        author_id: &own.caller.user_id,
        now: state.clock.now_ms(),
    };
    let mut transaction = state.db.write().await?;
    if marks::count(&mut transaction, own.job.id).await? >= MAX_MARKS {
        return Err(Problem::new(
            StatusCode::CONFLICT,
            ProblemCode::TooManyMarks,
        ));
    }
    if !marks::insert(&mut transaction, &mark).await? {
        return Err(Problem::new(
            StatusCode::CONFLICT,
            ProblemCode::TranscriptNotReady,
        ));
    }
    let created = marks::find(&mut transaction, own.job.id, id).await?;
    transaction.commit().await?;
    let created = created.ok_or_else(Problem::not_found)?;
    let body = MarkBody::of(created, &own.caller.user_id);
    Ok((StatusCode::CREATED, Json(body)))
}

/// The name on a single line, trimmed.
fn valid_name(name: &str) -> Result<String, Problem> {
    let name: Vec<&str> = name
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    let name = name.join(" ");
    let length = name.chars().count();
    if length == 0 {
        let violation = Violation::new("name", Code::MarkNameRequired);
        return Err(Violations(vec![violation]).into());
    }
    if length > MAX_NAME {
        let violation = Violation::new("name", Code::TooLong)
            .with("max", MAX_NAME)
            .with("length", length);
        return Err(Violations(vec![violation]).into());
    }
    Ok(name)
}

/// The mark from the path.
#[derive(Deserialize)]
pub(super) struct MarkPath {
    mark_id: Uuid,
}

/// Removes the name of a version; the version is kept.
#[utoipa::path(delete, path = "/jobs/{id}/marks/{mark_id}", tag = "edits",
    operation_id = "delete_mark",
    params(
        ("id" = String, Path, description = "Job id"),
        ("mark_id" = String, Path, description = "Id of the named version"),
    ),
    responses(
        (status = NO_CONTENT),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn delete(
    State(state): State<AppState>,
    own: OwnJob,
    Path(asked): Path<MarkPath>,
) -> Result<StatusCode, Problem> {
    let mut transaction = state.db.write().await?;
    let deleted = marks::delete(&mut transaction, own.job.id, asked.mark_id).await?;
    transaction.commit().await?;
    if deleted {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Problem::not_found())
    }
}
