//! Links that let visitors without an account read a text: `/api/v1/jobs/{id}/shares`.

use jiff::Timestamp;
use serde::Serialize;
use slovo_app::http::Problem;
use slovo_app::state::AppState;
use slovo_db::texts::shares::Share;
use slovo_platform::clock::from_ms;
use slovo_rules::account::weak_password;
use slovo_rules::share::{ShareRights, validate_password};
use slovo_rules::violation::Violations;
use utoipa::ToSchema;
use uuid::Uuid;

pub(super) mod change;
pub(super) mod create;
pub(super) mod list;
pub(super) mod openings;
pub(super) mod password;
pub(super) mod remove;

/// A link as its owner sees it.
#[derive(Serialize, ToSchema)]
#[schema(as = Share)]
pub(super) struct ShareBody {
    /// Its id.
    id: Uuid,
    /// URL of the page, including the server's host.
    url: String,
    /// When it stops working; null if it does not expire.
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Option<Timestamp>,
    /// Whether the link includes the recording.
    with_media: bool,
    /// Whether visitors see the confidence of each word.
    with_confidence: bool,
    /// What visitors may do.
    rights: ShareRights,
    /// Whether it requires a password. Only the hash of the password is stored.
    has_password: bool,
    /// When it was created.
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
        let token = state.sharing().token(share.id);
        Self {
            id: share.id,
            url: format!("{}/shared/{token}", state.config.public_url().as_str()),
            expires_at: share.expires_at.map(from_ms),
            with_media: share.with_media,
            with_confidence: share.with_confidence,
            rights: share.rights,
            has_password: share.password_hash.is_some(),
            created_at: from_ms(share.created_at),
            opened: share.opened,
            last_opened_at: share.last_opened_at.map(from_ms),
        }
    }
}

/// The hash of a link's new password.
async fn hashed(state: &AppState, user_id: &str, password: &str) -> Result<String, Problem> {
    validate_password(password).map_err(Violations::from)?;
    state.limits.share_secret(user_id)?;
    let hash = state.passwords.choose(password, &[], &*state.random);
    hash.await?
        .ok_or_else(|| Violations::from(weak_password()).into())
}
