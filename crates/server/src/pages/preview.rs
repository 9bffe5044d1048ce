//! The pages as an administrator would have them, before anything is saved: shown to whoever has
//! the link, for an hour. One draft is kept, the last one.

use anyhow::Context;
use serde::{Deserialize, Serialize};
use slovo_db::Connection;
use slovo_db::site::server_settings;
use slovo_rules::Valid;
use slovo_rules::site::SiteSettings;
use uuid::Uuid;

use crate::state::AppState;
use slovo_platform::signed_links::SignedId;

/// What the tokens are made for.
const PURPOSE: &str = "site preview";
/// Under which key the draft is kept.
const KEY: &str = "site_preview";
/// How long a draft is shown, in milliseconds.
const SHOWN_MS: i64 = 60 * 60 * 1000;

#[derive(Serialize, Deserialize)]
struct Draft {
    id: Uuid,
    /// Unix milliseconds.
    until: i64,
    site: SiteSettings,
}

/// Keeps a draft in place of the one before; its token, and until when it is shown in Unix
/// milliseconds.
///
/// # Errors
/// When the database fails.
pub(crate) async fn keep(
    state: &AppState,
    connection: &mut Connection,
    site: &Valid<SiteSettings>,
) -> anyhow::Result<(String, i64)> {
    let now = state.clock.now_ms();
    let draft = Draft {
        id: Uuid::parse_str(&state.new_id()).context("a new id")?,
        until: now + SHOWN_MS,
        site: (**site).clone(),
    };
    server_settings::set(connection, KEY, &draft, now).await?;
    let token = SignedId::new(&state.secret, PURPOSE).token(draft.id);
    Ok((token, draft.until))
}

/// The draft that a token opens now.
///
/// # Errors
/// When the database fails.
pub(super) async fn opened(
    state: &AppState,
    token: &str,
) -> slovo_db::Result<Option<SiteSettings>> {
    let Some(id) = SignedId::new(&state.secret, PURPOSE).read(token) else {
        return Ok(None);
    };
    let draft: Option<Draft> = server_settings::get(&mut *state.db.read().await?, KEY).await?;
    let now = state.clock.now_ms();
    let draft = draft.filter(|draft| draft.id == id && now < draft.until);
    Ok(draft.map(|draft| draft.site))
}
