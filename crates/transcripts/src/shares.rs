//! Links that let people without an account read a transcript.
//!
//! A link's token is the id of its row and a code that only this server can compute. So it need not
//! be stored, it can be shown to its owner again, and guessed tokens are rejected without a
//! database query.
//!
//! A visitor who opens a link gets a grant: a signed token that names the link, the version of its
//! password and the visit. If the link has a password, only the right one yields a grant; otherwise
//! the grant only identifies the requests of one visit. It is sent in a header, so another site's
//! page cannot send it along.

use anyhow::Context;
use serde::{Deserialize, Serialize};
use slovo_db::Database;
use slovo_db::jobs::Job;
use slovo_db::texts::share_openings::{self, Opening};
use slovo_db::texts::shares::{self, Share};
use slovo_platform::clock::{Clock, from_ms};
use slovo_platform::random::Random;
use slovo_platform::secret::Secret;
use slovo_platform::signed_links::{LinkClaims, SignedId, SignedLinks};
use slovo_rules::share::{GRANT_HOURS, describe_visitor};
use slovo_server_settings::ServerSettings;
use uuid::Uuid;

/// The purpose of the codes.
const PURPOSE: &str = "share";

/// How long a grant and the media URLs made for it are valid, in seconds. Both end earlier with the
/// link, and when its password is changed.
const GRANT_SECONDS: i64 = GRANT_HOURS * 60 * 60;

/// The right to read what a link shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShareGrant {
    /// The link.
    #[serde(rename = "sub")]
    pub share: Uuid,
    /// The version of the link's password that was given.
    pub password: i64,
    /// The visit.
    pub visit: Uuid,
    /// Expiry in Unix seconds; also that of URLs made for the grant.
    pub until: i64,
}

impl LinkClaims for ShareGrant {
    const PURPOSE: &'static str = "share grant, HS256";
    const AUDIENCE: &'static str = "slovo-share-grant";
}

/// The right to play the recording of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedMedia {
    /// The link.
    #[serde(rename = "sub")]
    pub share: Uuid,
    /// The version of the link's password that was given.
    #[serde(default)]
    pub password: i64,
}

impl LinkClaims for SharedMedia {
    const PURPOSE: &'static str = "shared media, HS256";
    const AUDIENCE: &'static str = "slovo-shared-media";
}

/// Signs and reads media URLs.
pub type SharedMediaLinks = SignedLinks<SharedMedia>;

/// A link that a visitor may read, and their grant.
pub struct Visit {
    /// The link.
    pub share: Share,
    /// What it shows.
    pub job: Job,
    /// The grant that permits it.
    pub grant: ShareGrant,
    /// The grant as a token.
    pub token: String,
}

/// Why a link is refused.
#[derive(Debug, thiserror::Error)]
pub enum VisitError {
    /// The link is unknown, withdrawn or expired, or sharing is switched off.
    #[error("the link is not valid")]
    NotFound,
    /// There is no grant for the link's current password.
    #[error("the link requires its password")]
    PasswordRequired,
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] slovo_db::Error),
    /// A grant could not be signed.
    #[error(transparent)]
    Internal(#[from] anyhow::Error),
}

/// The dependencies for creating and resolving links.
#[derive(Clone, Copy)]
pub struct Sharing<'a> {
    /// Where links are stored.
    pub db: &'a Database,
    /// The time, for the expiry of links and grants.
    pub clock: &'a dyn Clock,
    /// Makes the ids of visits and openings.
    pub random: &'a dyn Random,
    /// What tokens are signed with.
    pub secret: &'a Secret,
    /// Whether sharing is switched on.
    pub settings: &'a ServerSettings,
}

impl Sharing<'_> {
    /// The token of a link.
    #[must_use]
    pub fn token(&self, id: Uuid) -> String {
        SignedId::new(self.secret, PURPOSE).token(id)
    }

    /// The link of a token; `None` if it is unknown, withdrawn or expired.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn opened(&self, token: &str) -> slovo_db::Result<Option<(Share, Job)>> {
        match SignedId::new(self.secret, PURPOSE).read(token) {
            Some(id) => self.in_force(id).await,
            None => Ok(None),
        }
    }

    /// The link of a token, for a visitor with this grant, if any.
    ///
    /// # Errors
    /// [`VisitError`].
    pub async fn visit(&self, token: &str, grant_token: Option<&str>) -> Result<Visit, VisitError> {
        let opened = self.opened(token).await?;
        let (share, job) = opened.ok_or(VisitError::NotFound)?;
        let now = self.clock.now().as_second();
        let read = |grant_token: &str| {
            let grant = SignedLinks::<ShareGrant>::new(self.secret).read(grant_token, now)?;
            let is_of_link = grant.share == share.id && grant.password == share.password_version;
            is_of_link.then(|| (grant, grant_token.to_owned()))
        };
        let (grant, token) = match grant_token.and_then(read) {
            Some(known) => known,
            None if share.password_hash.is_none() => self.new_grant(&share)?,
            None => return Err(VisitError::PasswordRequired),
        };
        Ok(Visit {
            share,
            job,
            grant,
            token,
        })
    }

    /// A grant for a new visit, also as a token. Only for visitors who gave the link's password, or
    /// if the link has none.
    ///
    /// # Errors
    /// If signing fails, which does not happen for HS256.
    pub fn new_grant(&self, share: &Share) -> anyhow::Result<(ShareGrant, String)> {
        let expires_at = self.clock.now().as_second() + GRANT_SECONDS;
        let ends = share.expires_at.map(|expires| from_ms(expires).as_second());
        let grant = ShareGrant {
            share: share.id,
            password: share.password_version,
            visit: self.new_id()?,
            until: ends.map_or(expires_at, |ends| ends.min(expires_at)),
        };
        let links = SignedLinks::<ShareGrant>::new(self.secret);
        let token = links.issue(&grant, grant.until);
        Ok((grant, token.context("a grant cannot be signed")?))
    }

    /// Records that a visit opened its link, unless it has just done so. Of the browser's
    /// `user_agent` only the family and the kind of device are stored.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn record_opening(&self, visit: &Visit, user_agent: &str) -> anyhow::Result<()> {
        let (browser, device) = describe_visitor(user_agent);
        let opening = Opening {
            id: self.new_id()?,
            share: visit.share.id,
            visit: visit.grant.visit,
            at: self.clock.now_ms(),
            browser,
            device,
        };
        let mut transaction = self.db.write().await?;
        share_openings::record(&mut transaction, &opening).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// The link and its job, if the link is valid. While an administrator has switched sharing off,
    /// no link is; all become valid again when it is switched on.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn in_force(&self, id: Uuid) -> slovo_db::Result<Option<(Share, Job)>> {
        if !self.settings.current().await?.switches.sharing {
            return Ok(None);
        }
        let mut connection = self.db.read().await?;
        shares::find_valid(&mut connection, id, self.clock.now_ms()).await
    }

    fn new_id(&self) -> anyhow::Result<Uuid> {
        let id = self.random.uuid_at(self.clock.now_ms());
        id.parse().context("an id cannot be made")
    }
}
