//! Steps of actions, for the tests of the server.

use slovo_app::http::Problem;
use slovo_app::state::AppState;
use slovo_db::texts::share_comments::Comment;
use uuid::Uuid;

use crate::shared::comments;

/// Stores a comment made through a link, as if the link had been opened before.
///
/// # Errors
/// If the link no longer exists or the database fails.
pub async fn store_comment(
    state: &AppState,
    share: Uuid,
    comment: &Comment,
) -> Result<Comment, Problem> {
    comments::store(state, share, comment).await
}
