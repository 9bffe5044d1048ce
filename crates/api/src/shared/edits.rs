//! `POST /api/v1/shared/{token}/edits` and `/undo`: visitors of a link correct the text under a
//! name.
//!
//! Their edits are in the same journal as the owner's (`slovo_transcripts::edits`), with the visit
//! as the client: a visit can undo its own edits only. The kinds of edits that are allowed are
//! defined in `slovo_rules::share`.

use std::net::IpAddr;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use serde::{Deserialize, Serialize};
use slovo_app::auth::ClientAddress;
use slovo_app::http::{Document, Json, Path, Problem};
use slovo_app::state::AppState;
use slovo_db::texts::edits::Visitor;
use slovo_db::texts::projection;
use slovo_db::{Connection, WriteTransaction};
use slovo_rules::codes::ProblemCode;
use slovo_rules::edit::{Edit, Speaker};
use slovo_rules::share::{validate_visitor_edit, validate_visitor_name};
use slovo_rules::violation::Violations;
use slovo_transcripts::edits::{self, Author, Direction, EditError, SavedEdits};
use slovo_transcripts::shares::Visit;
use utoipa::ToSchema;
use uuid::Uuid;

use super::text::SharedChange;

/// Maximum number of edits per link: each is stored with its line before and after.
const MAX_BY_LINK: u64 = 5000;

/// A correction.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewSharedEdit {
    /// The run of recognition that the visitor sees.
    version: u32,
    /// The visitor's name: 1 to 80 characters.
    name: String,
    /// `set_text` with at most 5,000 characters, `set_speaker` for one line, or `rename_speaker`.
    edit: Edit,
}

/// The request to undo the last correction of this visit.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SharedUndo {
    /// The run of recognition that the visitor sees.
    version: u32,
    /// The visitor's name: 1 to 80 characters.
    name: String,
    /// UUID of this step, so that it can safely be sent again.
    edit_id: Uuid,
}

/// The result of a correction.
#[derive(Serialize, ToSchema)]
pub(super) struct SharedEditSaved {
    /// The changed lines in their current state.
    changes: Vec<SharedChange>,
    /// All speakers, with their names.
    speakers: Vec<Speaker>,
    /// Whether this visit has an edit to undo.
    can_undo: bool,
    /// For the header `Share-Grant` of this visit's further requests.
    grant: String,
}

/// Corrects a line or a speaker’s name of a shared transcript, under a name. An edit whose `edit_id`
/// is already stored isn’t applied again and returns the same answer. The owner sees the name in the
/// history of the transcript.
#[utoipa::path(post, path = "/shared/{token}/edits", tag = "shares", operation_id = "edit_shared",
    security(()), params(("token" = String, Path, description = "From the link"),
        ("Share-Grant" = Option<String>, Header, description = "From the shared text")),
    request_body = NewSharedEdit,
    responses(
        (status = OK, body = SharedEditSaved),
        (status = FORBIDDEN, body = Document, description = "share_password_required; \
            edits_not_allowed"),
        (status = NOT_FOUND, body = Document, description = "not_found: unknown, withdrawn or \
            expired"),
        (status = CONFLICT, body = Document, description = "edit_conflict: the line was changed \
            since, `conflicts` says how it is now, without its words; text_replaced: another run of \
            recognition is shown; too_many_shared_edits: 5,000 by a link"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed: also \
            for other kinds of edits"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited: 360 edits an \
            hour in a visit, 1,000 from a network, 5,000 by the link"),
    ))]
pub(super) async fn save(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    Path(token): Path<String>,
    headers: HeaderMap,
    Json(body): Json<NewSharedEdit>,
) -> Result<Json<SharedEditSaved>, Problem> {
    let visit = editing(&state, &token, &headers, address).await?;
    let author = author(&state, &visit, body.version, &body.name)?;
    let valid = validate_visitor_edit(&body.edit).map_err(of_edit)?;
    let mut transaction = state.db.write().await?;
    still_editing(&mut transaction, &visit, &author).await?;
    has_room(
        &mut transaction,
        &author,
        visit.share.id,
        &body.edit.edit_id,
    )
    .await?;
    let saved = edits::save(&mut transaction, &author, &valid).await;
    finish(&state, transaction, saved, visit).await
}

/// Undoes this visit’s last edit of a shared transcript.
#[utoipa::path(post, path = "/shared/{token}/edits/undo", tag = "shares",
    operation_id = "undo_shared_edit",
    security(()), params(("token" = String, Path, description = "From the link"),
        ("Share-Grant" = Option<String>, Header, description = "From the shared text")),
    request_body = SharedUndo,
    responses(
        (status = OK, body = SharedEditSaved),
        (status = FORBIDDEN, body = Document, description = "share_password_required; \
            edits_not_allowed"),
        (status = NOT_FOUND, body = Document, description = "not_found: unknown, withdrawn or \
            expired"),
        (status = CONFLICT, body = Document, description = "nothing_to_undo; edit_conflict: \
            somebody else has changed the line since; text_replaced"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited: as for edits"),
    ))]
pub(super) async fn undo(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    Path(token): Path<String>,
    headers: HeaderMap,
    Json(body): Json<SharedUndo>,
) -> Result<Json<SharedEditSaved>, Problem> {
    let visit = editing(&state, &token, &headers, address).await?;
    let author = author(&state, &visit, body.version, &body.name)?;
    let mut transaction = state.db.write().await?;
    still_editing(&mut transaction, &visit, &author).await?;
    let saved = edits::step(&mut transaction, &author, body.edit_id, Direction::Undo).await;
    finish(&state, transaction, saved, visit).await
}

/// A visit through a link that allows edits, within the rate limits.
async fn editing(
    state: &AppState,
    token: &str,
    headers: &HeaderMap,
    address: IpAddr,
) -> Result<Visit, Problem> {
    state.limits.share(address)?;
    let visit = super::visit(state, token, headers).await?;
    if !visit.share.rights.edits() {
        return Err(Problem::new(
            StatusCode::FORBIDDEN,
            ProblemCode::EditsNotAllowed,
        ));
    }
    let (share, grant) = (visit.share.id, visit.grant.visit);
    state.limits.shared_edit(share, grant, address)?;
    Ok(visit)
}

/// The author of an edit. The visit is the client, so that nobody can undo the edits of another
/// visit or of the owner.
fn author(state: &AppState, visit: &Visit, version: u32, name: &str) -> Result<Author, Problem> {
    let name = validate_visitor_name(name)?.into_inner();
    Ok(Author {
        job: visit.job.id,
        version: i64::from(version),
        client: visit.grant.visit,
        user_id: String::new(),
        visitor: Some(Visitor {
            name,
            share: visit.share.id,
            share_made_at: visit.share.created_at,
        }),
        now: state.clock.now_ms(),
    })
}

/// Checks again in the writing transaction: while the edit waited, the link may have ended, or the
/// text may have been replaced by another run.
async fn still_editing(
    connection: &mut Connection,
    visit: &Visit,
    author: &Author,
) -> Result<(), Problem> {
    let id = visit.share.id;
    let found = slovo_db::texts::shares::find_valid(&mut *connection, id, author.now).await?;
    let (share, job) = found.ok_or_else(Problem::not_found)?;
    let forbidden = |code: ProblemCode| Err(Problem::new(StatusCode::FORBIDDEN, code));
    if share.password_version != visit.grant.password {
        return forbidden(ProblemCode::SharePasswordRequired);
    }
    if !share.rights.edits() {
        return forbidden(ProblemCode::EditsNotAllowed);
    }
    let conflict = |code: ProblemCode| Err(Problem::new(StatusCode::CONFLICT, code));
    if projection::displayed_version(&mut *connection, job.id).await? != Some(author.version) {
        return conflict(ProblemCode::TextReplaced);
    }
    Ok(())
}

/// Whether the link allows another edit. Repeating a stored edit returns the stored answer, and an
/// edit can be undone, once.
async fn has_room(
    connection: &mut Connection,
    author: &Author,
    share: Uuid,
    edit_id: &str,
) -> Result<(), Problem> {
    if slovo_db::texts::edits::count_by_share(&mut *connection, share).await? < MAX_BY_LINK {
        return Ok(());
    }
    let ids: Vec<Uuid> = edit_id.parse::<Uuid>().into_iter().collect();
    let stored =
        slovo_db::texts::edits::stored(connection, author.job, author.version, &ids).await?;
    if stored.is_empty() {
        let code = ProblemCode::TooManySharedEdits;
        return Err(Problem::new(StatusCode::CONFLICT, code));
    }
    Ok(())
}

/// The problem as shown to visitors: without the confidence of recognition, which only the owner
/// sees.
fn refused(error: EditError) -> Problem {
    match error {
        EditError::Conflict(mut conflicts) => {
            for segment in conflicts
                .iter_mut()
                .filter_map(|conflict| conflict.segment.as_mut())
            {
                segment.words.clear();
            }
            EditError::Conflict(conflicts).into()
        }
        EditError::Invalid(violations) => of_edit(violations).into(),
        other => other.into(),
    }
}

/// There is one edit, so its fields are named without an index.
fn of_edit(violations: Violations) -> Violations {
    let violations = violations.0.into_iter().map(|mut violation| {
        if let Some(field) = violation.field.strip_prefix("edits.0.") {
            violation.field = field.to_owned();
        }
        violation.under("edit")
    });
    Violations(violations.collect())
}

/// Commits the edit, answers the visitor and notifies all users who have the text open.
async fn finish(
    state: &AppState,
    transaction: WriteTransaction,
    saved: Result<SavedEdits, EditError>,
    visit: Visit,
) -> Result<Json<SharedEditSaved>, Problem> {
    let saved = saved.map_err(refused)?;
    transaction.commit().await?;
    state.jobs.live().stored(visit.job.id);
    let changes = saved.changes.into_iter();
    Ok(Json(SharedEditSaved {
        changes: changes
            .map(|change| SharedChange::of(change, &visit.share))
            .collect(),
        speakers: saved.speakers,
        can_undo: saved.steps.undo.is_some(),
        grant: visit.token,
    }))
}
