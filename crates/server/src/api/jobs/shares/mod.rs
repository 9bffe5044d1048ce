//! Links by which somebody without an account reads a job's text: `/api/v1/jobs/{id}/shares`.

use jiff::Timestamp;
use serde::Serialize;
use slovo_db::shares::Share;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::clock::from_ms;
use crate::shares;
use crate::state::AppState;

pub(super) mod create;
pub(super) mod list;
pub(super) mod remove;

/// A link as its owner sees it.
#[derive(Serialize, ToSchema)]
#[schema(as = Share)]
pub(super) struct ShareBody {
    /// Its id.
    id: Uuid,
    /// The address of the page, with the server's name.
    url: String,
    /// When it stops working; null: when it is withdrawn.
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Option<Timestamp>,
    /// Whether the recording can be heard there.
    with_media: bool,
    /// When it was made.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// How often it was opened.
    opened: u64,
    /// When it was last opened.
    #[schema(value_type = Option<String>, format = DateTime)]
    last_opened_at: Option<Timestamp>,
}

impl ShareBody {
    fn of(state: &AppState, share: &Share) -> Self {
        let token = shares::token(state, share.id);
        Self {
            id: share.id,
            url: format!("{}/shared/{token}", state.config.public_url().as_str()),
            expires_at: share.expires_at.map(from_ms),
            with_media: share.with_media,
            created_at: from_ms(share.created_at),
            opened: share.opened,
            last_opened_at: share.last_opened_at.map(from_ms),
        }
    }
}
