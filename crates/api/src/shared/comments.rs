//! `GET` and `POST /api/v1/shared/{token}/comments`: comments of a link's visitors on lines of the
//! text.
//!
//! Visitors see the comments made through the same link only.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use slovo_app::auth::ClientAddress;
use slovo_app::http::{Document, Json, Path, Problem};
use slovo_app::state::AppState;
use slovo_db::texts::projection::{self, HistoryPoint};
use slovo_db::texts::share_comments::{self, Comment};
use slovo_db::texts::shares;
use slovo_platform::clock::from_ms;
use slovo_rules::codes::ProblemCode;
use slovo_rules::edit::{EditedSegment, EditedTranscript};
use slovo_rules::share::{CommentForm, validate_comment};
use slovo_rules::transcript::rounded;
use slovo_rules::violation::{Code, Violation, Violations};
use slovo_transcripts::shares::Visit;
use utoipa::ToSchema;
use uuid::Uuid;

/// Maximum number of comments per link.
const MAX_BY_LINK: i64 = 300;
/// Maximum number of comments per text, over all links.
const MAX_OF_TEXT: i64 = 1000;
/// Maximum length of the quoted line, in characters: enough to find it again after it has changed.
const LINE_LENGTH: usize = 300;

/// A comment as visitors of its link see it.
#[derive(Serialize, ToSchema)]
pub(super) struct SharedComment {
    /// Its id.
    id: Uuid,
    /// The run of recognition of the line.
    version: u32,
    /// Id of the line's segment.
    segment: String,
    /// Start of the line in seconds, at that time.
    start: f64,
    /// Text of the line at that time, at most 300 characters.
    line: String,
    /// The visitor's name.
    name: String,
    /// The comment.
    text: String,
    /// When it was written.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// The answer by the owner of the transcript.
    answer: Option<String>,
    /// When it was answered.
    #[schema(value_type = Option<String>, format = DateTime)]
    answered_at: Option<Timestamp>,
}

impl From<Comment> for SharedComment {
    fn from(comment: Comment) -> Self {
        Self {
            id: comment.id,
            version: comment.version,
            segment: comment.segment,
            start: rounded(comment.start),
            line: comment.line,
            name: comment.name,
            text: comment.body,
            created_at: from_ms(comment.created_at),
            answer: comment.answer,
            answered_at: comment.answered_at.map(from_ms),
        }
    }
}

/// A new comment.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewSharedComment {
    /// UUID created by the page: a comment that is sent again is stored only once.
    id: Uuid,
    /// Id of the line's segment.
    segment: String,
    /// The visitor's name: 1 to 80 characters.
    name: String,
    /// The comment: 1 to 2,000 characters.
    text: String,
}

/// Lists the comments that were written through a share link, oldest first.
#[utoipa::path(get, path = "/shared/{token}/comments", tag = "shares",
    operation_id = "list_shared_comments",
    security(()), params(("token" = String, Path, description = "From the link"),
        ("Share-Grant" = Option<String>, Header, description = "From the shared text")),
    responses(
        (status = OK, body = Vec<SharedComment>),
        (status = FORBIDDEN, body = Document, description = "share_password_required; \
            comments_not_allowed"),
        (status = NOT_FOUND, body = Document, description = "not_found: unknown, withdrawn or \
            expired"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn list(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> Result<Json<Vec<SharedComment>>, Problem> {
    state.limits.share(address)?;
    let visit = commenting(&state, &token, &headers).await?;
    let mut connection = state.db.read().await?;
    let all = share_comments::of_share(&mut connection, visit.share.id).await?;
    Ok(Json(all.into_iter().map(SharedComment::from).collect()))
}

/// Comments on a line of a shared transcript, under a name.
#[utoipa::path(post, path = "/shared/{token}/comments", tag = "shares",
    operation_id = "comment_shared",
    security(()), params(("token" = String, Path, description = "From the link"),
        ("Share-Grant" = Option<String>, Header, description = "From the shared text")),
    request_body = NewSharedComment,
    responses(
        (status = CREATED, body = SharedComment),
        (status = FORBIDDEN, body = Document, description = "share_password_required; \
            comments_not_allowed"),
        (status = NOT_FOUND, body = Document, description = "not_found: unknown, withdrawn or \
            expired"),
        (status = CONFLICT, body = Document, description = "too_many_comments: 300 by a link, \
            1,000 of a transcript; conflict: the id is another comment’s"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed: also \
            where the transcript has no such line"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn create(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    Path(token): Path<String>,
    headers: HeaderMap,
    Json(sent): Json<NewSharedComment>,
) -> Result<(StatusCode, Json<SharedComment>), Problem> {
    state.limits.share(address)?;
    let visit = commenting(&state, &token, &headers).await?;
    let (share, job) = (visit.share.id, visit.job.id);
    state.limits.comment(share, address)?;
    let form = validate_comment(&CommentForm {
        segment: sent.segment,
        name: sent.name,
        text: sent.text,
    })?
    .into_inner();
    let mut connection = state.db.read().await?;
    let text = projection::read(&mut connection, job, HistoryPoint::default()).await?;
    drop(connection);
    let text = text.ok_or_else(Problem::not_found)?;
    let line = line_of(&text, &form.segment)?;
    let comment = Comment {
        id: sent.id,
        job_id: job,
        share_id: Some(share),
        version: text.version,
        segment: form.segment,
        start: line.start,
        line: line.text.trim().chars().take(LINE_LENGTH).collect(),
        name: form.name,
        body: form.text,
        created_at: state.clock.now_ms(),
        answer: None,
        answered_at: None,
    };
    let stored = store(&state, share, &comment).await?;
    Ok((StatusCode::CREATED, Json(stored.into())))
}

/// Stores a comment made through a link. Repeating the request stores nothing more.
///
/// # Errors
/// If the link no longer exists or the database fails.
pub(crate) async fn store(
    state: &AppState,
    share: Uuid,
    comment: &Comment,
) -> Result<Comment, Problem> {
    let (job, id) = (comment.job_id, comment.id);
    let mut transaction = state.db.write().await?;
    // The link may have been withdrawn since it was opened.
    let open = shares::find_valid(&mut transaction, share, comment.created_at).await?;
    open.ok_or_else(Problem::not_found)?;
    let mut stored = share_comments::find(&mut transaction, job, id).await?;
    if stored.is_none() {
        let (by_link, of_text) = share_comments::count(&mut transaction, job, share).await?;
        if by_link >= MAX_BY_LINK || of_text >= MAX_OF_TEXT {
            return Err(Problem::new(
                StatusCode::CONFLICT,
                ProblemCode::TooManyComments,
            ));
        }
        share_comments::insert(&mut transaction, comment)
            .await
            .map_err(not_found_if_deleted)?;
        stored = share_comments::find(&mut transaction, job, id).await?;
    }
    transaction.commit().await?;
    // Another link's comment is not revealed, only that its id is taken.
    let stored = stored.filter(|stored| stored.share_id == Some(share));
    stored.ok_or_else(|| Problem::new(StatusCode::CONFLICT, ProblemCode::Conflict))
}

/// With PostgreSQL, a link can be withdrawn or a job deleted while a comment is being stored.
fn not_found_if_deleted(error: slovo_db::Error) -> Problem {
    match error.constraint() {
        Some("share_comments_share_id_fkey" | "share_comments_my_job_id_fkey") => {
            Problem::not_found()
        }
        _ => error.into(),
    }
}

/// A visit through a link that allows comments.
async fn commenting(state: &AppState, token: &str, headers: &HeaderMap) -> Result<Visit, Problem> {
    let visit = super::visit(state, token, headers).await?;
    if !visit.share.rights.comments() {
        return Err(Problem::new(
            StatusCode::FORBIDDEN,
            ProblemCode::CommentsNotAllowed,
        ));
    }
    Ok(visit)
}

/// The line that is commented on.
fn line_of<'a>(text: &'a EditedTranscript, id: &str) -> Result<&'a EditedSegment, Violations> {
    let line = text.segments.iter().find(|segment| segment.id == id);
    line.ok_or_else(|| Violations::from(Violation::new("segment", Code::IdInvalid)))
}
