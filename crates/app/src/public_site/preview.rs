//! Previews of the pages with an administrator's unsaved changes: visible to anyone with the link,
//! for an hour. Only the last draft is kept.

use anyhow::Context;
use serde::{Deserialize, Serialize};
use slovo_db::Connection;
use slovo_db::site::server_settings;
use slovo_platform::signed_links::SignedId;
use slovo_rules::Valid;
use slovo_rules::site::SiteSettings;
use uuid::Uuid;

use crate::state::AppState;

/// Purpose of the tokens.
const PURPOSE: &str = "site preview";
/// Settings key of the draft.
const KEY: &str = "site_preview";
/// How long a draft is visible, in milliseconds.
const VISIBLE_MS: i64 = 60 * 60 * 1000;

#[derive(Serialize, Deserialize)]
struct Draft {
    id: Uuid,
    /// Unix milliseconds.
    until: i64,
    site: SiteSettings,
}

/// Stores a draft, replacing the previous one; returns its token, and its expiry in Unix
/// milliseconds.
///
/// # Errors
/// When the database fails.
pub async fn store_draft(
    state: &AppState,
    connection: &mut Connection,
    site: &Valid<SiteSettings>,
) -> anyhow::Result<(String, i64)> {
    let now = state.clock.now_ms();
    let draft = Draft {
        id: Uuid::parse_str(&state.new_id()).context("a new id")?,
        until: now + VISIBLE_MS,
        site: (**site).clone(),
    };
    server_settings::set(connection, KEY, &draft, now).await?;
    let token = SignedId::new(&state.secret, PURPOSE).token(draft.id);
    Ok((token, draft.until))
}

/// The draft of a token, if it is still valid.
///
/// # Errors
/// When the database fails.
pub async fn opened(state: &AppState, token: &str) -> slovo_db::Result<Option<SiteSettings>> {
    let Some(id) = SignedId::new(&state.secret, PURPOSE).read(token) else {
        return Ok(None);
    };
    let draft: Option<Draft> = server_settings::get(&mut *state.db.read().await?, KEY).await?;
    let now = state.clock.now_ms();
    let draft = draft.filter(|draft| draft.id == id && now < draft.until);
    Ok(draft.map(|draft| draft.site))
}
