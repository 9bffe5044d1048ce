//! Links by which somebody without an account reads a transcript.
//!
//! A link's token is the id of its row and a code that only this server can make of it. So it need
//! not be stored, can be shown to its owner again, and whoever tries tokens reaches no database.
//!
//! Who opens a link is given a grant: a signed token that names the link, the number of its password
//! and the visit. Where the link asks for a password, nothing but the right one gives a grant; where
//! it asks for none, the grant only says which requests are of one visit. It goes in a header, so no
//! other site's page can send it along.

use axum::http::{HeaderMap, StatusCode, header};
use serde::{Deserialize, Serialize};
use slovo_db::jobs::Job;
use slovo_db::share_openings::{self, Opening};
use slovo_db::shares::{self, Share};
use slovo_rules::share::describe_visitor;
use uuid::Uuid;

use crate::http::Problem;
use crate::state::AppState;
use slovo_platform::clock::from_ms;
use slovo_platform::signed_links::{Right, SignedId, SignedLinks};

/// What the codes are made for.
const PURPOSE: &str = "share";

/// How long a grant serves, in seconds, and with it the addresses of the recording: six hours, as for
/// its owner. Both end earlier with the link, and when its password is changed.
const GRANT_SECONDS: i64 = 6 * 60 * 60;

/// The header that a grant goes in.
const GRANT_HEADER: &str = "share-grant";

/// The right to read what a link shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShareGrant {
    /// The link.
    #[serde(rename = "sub")]
    pub share: Uuid,
    /// The number of the link's password that was given.
    pub password: i64,
    /// The visit.
    pub visit: Uuid,
    /// Unix seconds; what is given for the grant ends with it.
    pub until: i64,
}

impl Right for ShareGrant {
    const PURPOSE: &'static str = "share grant, HS256";
    const AUDIENCE: &'static str = "slovo-share-grant";
}

/// The right to hear the recording of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedMedia {
    /// The link.
    #[serde(rename = "sub")]
    pub share: Uuid,
    /// The number of the link's password that was given.
    #[serde(default)]
    pub password: i64,
}

impl Right for SharedMedia {
    const PURPOSE: &'static str = "shared media, HS256";
    const AUDIENCE: &'static str = "slovo-shared-media";
}

/// Makes and reads the addresses of recordings.
pub type SharedMediaLinks = SignedLinks<SharedMedia>;

/// A link that somebody may read, and their grant.
pub struct Visit {
    /// The link.
    pub share: Share,
    /// What it shows.
    pub job: Job,
    /// What lets them read it.
    pub grant: ShareGrant,
    /// The same as a token.
    pub token: String,
}

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

/// What a token opens for somebody who sends these headers.
///
/// # Errors
/// `not_found` as [`opened`]; `share_password_required` without a grant for the present password.
pub async fn visit(state: &AppState, token: &str, headers: &HeaderMap) -> Result<Visit, Problem> {
    let (share, job) = opened(state, token).await?.ok_or_else(Problem::not_found)?;
    let shown = headers.get(GRANT_HEADER).and_then(|it| it.to_str().ok());
    let now = state.clock.now().as_second();
    let read = |shown: &str| {
        let grant = SignedLinks::<ShareGrant>::new(&state.secret).read(shown, now)?;
        let is_of_link = grant.share == share.id && grant.password == share.password_version;
        is_of_link.then(|| (grant, shown.to_owned()))
    };
    let (grant, token) = match shown.and_then(read) {
        Some(known) => known,
        None if share.password_hash.is_none() => new_grant(state, &share)?,
        None => {
            return Err(Problem::new(
                StatusCode::FORBIDDEN,
                "share_password_required",
            ));
        }
    };
    Ok(Visit {
        share,
        job,
        grant,
        token,
    })
}

/// A grant for a visit that begins, and the same as a token. For whoever gave the link's password, or
/// where it asks for none.
///
/// # Errors
/// If signing fails, which it does not.
pub fn new_grant(state: &AppState, share: &Share) -> Result<(ShareGrant, String), Problem> {
    let until = state.clock.now().as_second() + GRANT_SECONDS;
    let ends = share.expires_at.map(|expires| from_ms(expires).as_second());
    let grant = ShareGrant {
        share: share.id,
        password: share.password_version,
        visit: state.new_id().parse().map_err(Problem::internal)?,
        until: ends.map_or(until, |ends| ends.min(until)),
    };
    let links = SignedLinks::<ShareGrant>::new(&state.secret);
    let token = links.issue(&grant, grant.until);
    Ok((grant, token.map_err(Problem::internal)?))
}

/// Notes that a visit opened its link, unless it has just done so.
///
/// # Errors
/// When the database fails.
pub async fn note_opening(
    state: &AppState,
    visit: &Visit,
    headers: &HeaderMap,
) -> Result<(), Problem> {
    let agent = headers.get(header::USER_AGENT);
    let agent = agent.and_then(|agent| agent.to_str().ok());
    let (browser, device) = describe_visitor(agent.unwrap_or_default());
    let opening = Opening {
        id: state.new_id().parse().map_err(Problem::internal)?,
        share: visit.share.id,
        visit: visit.grant.visit,
        at: state.clock.now_ms(),
        browser,
        device,
    };
    let mut transaction = state.db.write().await?;
    share_openings::note(&mut transaction, &opening).await?;
    transaction.commit().await?;
    Ok(())
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
