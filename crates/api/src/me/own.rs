//! Items of the caller's account that a path names.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::Deserialize;
use slovo_app::auth::Caller;
use slovo_app::http::{Path, Problem};
use slovo_app::state::AppState;
use slovo_db::Connection;
use uuid::Uuid;

/// What an account owns.
pub(super) trait Owned: Sized + Send {
    /// The item with this id, whosever it is.
    fn find(
        connection: &mut Connection,
        id: Uuid,
    ) -> impl Future<Output = slovo_db::Result<Option<Self>>> + Send;

    /// Whether it is the user's.
    fn is_of_user(&self, user_id: &str) -> bool;
}

/// The path of an item; it may have other parameters.
#[derive(Deserialize)]
struct ItemPath {
    id: Uuid,
}

/// The caller's own item from the path. Those of others are not found.
pub(super) struct Own<T> {
    pub(super) caller: Caller,
    pub(super) item: T,
}

impl<T: Owned> FromRequestParts<AppState> for Own<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let caller = Caller::from_request_parts(parts, state).await?;
        let Path(ItemPath { id }) = Path::from_request_parts(parts, state).await?;
        let mut connection = state.db.read().await?;
        let found = T::find(&mut connection, id).await?;
        let own = found.filter(|item| item.is_of_user(&caller.user_id));
        Ok(Self {
            item: own.ok_or_else(Problem::not_found)?,
            caller,
        })
    }
}
