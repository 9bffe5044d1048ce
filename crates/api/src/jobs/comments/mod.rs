//! Comments of visitors of shared links on lines of a text: `/api/v1/jobs/{id}/comments`.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use slovo_db::texts::share_comments::Comment;
use slovo_platform::clock::from_ms;
use slovo_rules::transcript::rounded;
use utoipa::ToSchema;
use uuid::Uuid;

pub(super) mod answer;
pub(super) mod list;
pub(super) mod remove;

/// A comment as the owner of the transcript sees it.
#[derive(Serialize, ToSchema)]
#[schema(as = ShareComment)]
pub(super) struct CommentBody {
    /// Its id.
    id: Uuid,
    /// Id of the link that was used; null if it has been revoked.
    share_id: Option<Uuid>,
    /// The run of recognition of the line.
    version: u32,
    /// Id of the line's segment.
    segment: String,
    /// Start of the line in seconds, at that time.
    start: f64,
    /// Text of the line at that time, at most 300 characters.
    line: String,
    /// The name that the visitor entered, which is not verified.
    name: String,
    /// The comment.
    text: String,
    /// When it was written.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// The owner's answer, which visitors of the same link see.
    answer: Option<String>,
    /// When it was answered.
    #[schema(value_type = Option<String>, format = DateTime)]
    answered_at: Option<Timestamp>,
}

impl From<Comment> for CommentBody {
    fn from(comment: Comment) -> Self {
        Self {
            id: comment.id,
            share_id: comment.share_id,
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

/// The comment from the path.
#[derive(Deserialize)]
pub(super) struct CommentPath {
    comment_id: Uuid,
}
