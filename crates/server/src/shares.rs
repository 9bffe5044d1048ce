//! Links by which somebody without an account reads a transcript.
//!
//! A link's token is the id of its row and a code that only this server can make of it. So it need
//! not be stored, can be shown to its owner again, and whoever tries tokens reaches no database.

use serde::{Deserialize, Serialize};
use slovo_db::jobs::Job;
use slovo_db::shares::{self, Share};
use uuid::Uuid;

use crate::signed_links::{Right, SignedId, SignedLinks};
use crate::state::AppState;

/// What the codes are made for.
const PURPOSE: &str = "share";

/// How long an address of a recording works, in seconds: six hours, as for its owner. It ends
/// earlier with the link that it comes from.
pub const MEDIA_SECONDS: i64 = 6 * 60 * 60;

/// The right to hear the recording of a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedMedia {
    /// The link.
    #[serde(rename = "sub")]
    pub share: Uuid,
}

impl Right for SharedMedia {
    const PURPOSE: &'static str = "shared media, HS256";
    const AUDIENCE: &'static str = "slovo-shared-media";
}

/// Makes and reads the addresses of recordings.
pub type SharedMediaLinks = SignedLinks<SharedMedia>;

/// The token of a link.
#[must_use]
pub fn token(state: &AppState, id: Uuid) -> String {
    SignedId::new(&state.secret, PURPOSE).token(id)
}

/// What a token opens now; nothing for one that is unknown, withdrawn or expired.
///
/// # Errors
/// When the database fails.
pub async fn opened(state: &AppState, token: &str) -> slovo_db::Result<Option<(Share, Job)>> {
    match SignedId::new(&state.secret, PURPOSE).read(token) {
        Some(id) => in_force(state, id).await,
        None => Ok(None),
    }
}

/// The link and its job, while it opens anything. While an administrator has switched sharing off,
/// no link does, and all do again when it is back on.
///
/// # Errors
/// When the database fails.
pub async fn in_force(state: &AppState, id: Uuid) -> slovo_db::Result<Option<(Share, Job)>> {
    if !state.settings.current().await?.switches.sharing {
        return Ok(None);
    }
    let mut connection = state.db.read().await?;
    shares::in_force(&mut connection, id, state.clock.now_ms()).await
}
