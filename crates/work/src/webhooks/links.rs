//! Links for services: to one job's recording or text, valid for a day while the service is active.

use serde::{Deserialize, Serialize};
use slovo_db::accounts::{self, Status};
use slovo_db::jobs::{self, Job};
use slovo_db::{Connection, webhooks};
use uuid::Uuid;

use super::Webhooks;
use slovo_platform::signed_links::{LinkClaims, SignedLinks};

/// How long a link works, in seconds: long enough for a service that works at night. Every attempt
/// sends a new one.
pub const LINK_SECONDS: i64 = 24 * 60 * 60;

/// What a link opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkTarget {
    /// The recording.
    Media,
    /// The text.
    Transcript,
}

/// The claims of a link: the right of a service to the recording or text of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServiceLink {
    /// The job.
    #[serde(rename = "sub")]
    pub job: Uuid,
    /// The service it was made for.
    #[serde(rename = "svc")]
    pub service: Uuid,
    /// Whether it opens the recording or the text.
    #[serde(rename = "has")]
    pub thing: LinkTarget,
}

impl LinkClaims for ServiceLink {
    const PURPOSE: &'static str = "webhook service link, HS256";
    const AUDIENCE: &'static str = "slovo-webhook-service";
}

impl Webhooks {
    /// The full URL of the recording or text of a job; `None` if it cannot be signed, which does
    /// not happen.
    #[must_use]
    pub fn link(&self, service: Uuid, job: Uuid, thing: LinkTarget) -> Option<String> {
        let expires = self.0.clock.now().as_second() + LINK_SECONDS;
        let right = ServiceLink {
            job,
            service,
            thing,
        };
        let token = SignedLinks::new(&self.0.secret).issue(&right, expires);
        let path = match thing {
            LinkTarget::Media => "media",
            LinkTarget::Transcript => "transcript",
        };
        Some(format!(
            "{}/api/v1/hooks/{path}/{}",
            self.0.base,
            token.ok()?
        ))
    }

    /// The URL of a job's page, for people.
    #[must_use]
    pub fn page(&self, job: Uuid) -> String {
        format!("{}/transcription/{job}", self.0.base)
    }

    /// The job whose `thing` a token opens; `None` if the token is not ours, has expired, or is for
    /// another thing, or if its service is removed or inactive, or its owner is blocked.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn opened(
        &self,
        connection: &mut Connection,
        token: &str,
        thing: LinkTarget,
    ) -> slovo_db::Result<Option<Job>> {
        let now = self.0.clock.now().as_second();
        let right = SignedLinks::<ServiceLink>::new(&self.0.secret).read(token, now);
        let Some(right) = right.filter(|right| right.thing == thing) else {
            return Ok(None);
        };
        let service = webhooks::services::find(&mut *connection, right.service).await?;
        let Some(service) = service.filter(|service| service.form.is_active) else {
            return Ok(None);
        };
        let Some(subscription) = service.subscription else {
            return jobs::find_any(connection, right.job).await;
        };
        let owner = &subscription.owner;
        if !is_active(&mut *connection, owner).await? {
            return Ok(None);
        }
        // Not a recording in the bin, as on the owner's pages.
        jobs::find(connection, owner, right.job).await
    }
}

/// Whether an account exists and is not blocked.
pub(super) async fn is_active(
    connection: &mut Connection,
    user_id: &str,
) -> slovo_db::Result<bool> {
    let account = accounts::get(connection, user_id).await?;
    Ok(account.is_some_and(|account| account.status == Status::Active))
}
