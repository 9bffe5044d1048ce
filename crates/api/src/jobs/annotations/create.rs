//! `POST /api/v1/jobs/{id}/annotations`: creates bookmarks and highlights.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::texts::annotations::{self, Annotation};
use slovo_rules::Valid;
use slovo_rules::annotation::{
    AnnotationColour, AnnotationForm, AnnotationKind, MAX_ANNOTATIONS, MAX_AT_ONCE, validate,
};
use slovo_rules::codes::ProblemCode;
use slovo_rules::violation::{Code, Violation, Violations};
use utoipa::ToSchema;
use uuid::Uuid;

use super::super::OwnJob;
use super::AnnotationBody;

/// A new bookmark or highlight.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct NewAnnotation {
    /// UUID created by the page; an annotation whose id is already stored is not stored again.
    id: Uuid,
    /// The kind of annotation.
    kind: AnnotationKind,
    /// The colour.
    colour: AnnotationColour,
    /// The run of recognition of the line.
    version: u32,
    /// Id of the line's segment.
    segment: String,
    /// Number of characters (Unicode scalar values) in the line before the words, 0 to 20,000.
    offset: u32,
    /// The annotated words: 1 to 2,000 characters.
    quote: String,
    /// Start of the words in seconds, 0 to 1,000,000.
    start: f64,
    /// End of the words in seconds, 0 to 1,000,000; not before `start`.
    end: f64,
    /// The note, 0 to 2,000 characters.
    #[serde(default)]
    note: String,
}

/// New bookmarks and highlights.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct NewAnnotations {
    /// 1 to 50; a selection over several lines is a highlight in each of them.
    annotations: Vec<NewAnnotation>,
}

/// Creates bookmarks and highlights: all of them, or none. If sent again with the same ids, nothing
/// is created twice and the stored ones are returned. Deleted ones are created again.
#[utoipa::path(post, path = "/jobs/{id}/annotations", tag = "edits",
    operation_id = "create_annotations",
    params(("id" = String, Path, description = "Job id")),
    request_body = NewAnnotations,
    responses(
        (status = CREATED, body = Vec<AnnotationBody>, description = "In the order in which they \
            were sent"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "too_many_annotations: the job would \
            have more than 500"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(in super::super) async fn create(
    State(state): State<AppState>,
    own: OwnJob,
    Json(body): Json<NewAnnotations>,
) -> Result<(StatusCode, Json<Vec<AnnotationBody>>), Problem> {
    let rows = valid(body.annotations, own.job.id, state.clock.now_ms())?;
    let job = own.job.id;
    let mut transaction = state.db.write().await?;
    let mut created = Vec::with_capacity(rows.len());
    for row in rows {
        let id = row.id;
        annotations::insert(&mut transaction, &row).await?;
        let stored = annotations::find(&mut transaction, job, id).await?;
        created.push(stored.ok_or_else(Problem::not_found)?.into());
    }
    let count = annotations::count(&mut transaction, job).await?;
    if usize::try_from(count).unwrap_or(usize::MAX) > MAX_ANNOTATIONS {
        return Err(Problem::new(
            StatusCode::CONFLICT,
            ProblemCode::TooManyAnnotations,
        ));
    }
    transaction.commit().await?;
    Ok((StatusCode::CREATED, Json(created)))
}

/// The rows, if all of them are valid.
fn valid(all: Vec<NewAnnotation>, job: Uuid, now: i64) -> Result<Vec<Annotation>, Problem> {
    if all.is_empty() {
        let violation = Violation::new("annotations", Code::ListEmpty);
        return Err(Violations(vec![violation]).into());
    }
    if all.len() > MAX_AT_ONCE {
        let violation = Violation::new("annotations", Code::TooMany).with("max", MAX_AT_ONCE);
        return Err(Violations(vec![violation]).into());
    }
    let mut violations = Violations::new();
    let mut rows = Vec::with_capacity(all.len());
    for (number, new) in all.into_iter().enumerate() {
        let form = AnnotationForm {
            segment: new.segment,
            offset: new.offset,
            quote: new.quote,
            start: new.start,
            end: new.end,
            note: new.note,
        };
        match validate(&form).map(Valid::into_inner) {
            Ok(form) => rows.push(Annotation {
                id: new.id,
                job_id: job,
                kind: new.kind,
                colour: new.colour,
                version: new.version,
                segment: form.segment,
                offset: form.offset,
                quote: form.quote,
                start: form.start,
                end: form.end,
                note: form.note,
                created_at: now,
                changed_at: now,
            }),
            Err(broken) => violations.extend_under(&format!("annotations.{number}"), broken),
        }
    }
    if violations.is_empty() {
        Ok(rows)
    } else {
        Err(violations.into())
    }
}
