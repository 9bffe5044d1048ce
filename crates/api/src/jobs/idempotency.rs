//! `Idempotency-Key`: a client that does not know whether its request arrived sends it again with
//! the same key, and gets the job that it created (draft-ietf-httpapi-idempotency-key-header).

use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::Serialize;
use slovo_app::auth::session::token_hash;
use slovo_app::http::Problem;
use slovo_app::state::AppState;
use slovo_db::Connection;
use slovo_db::jobs::idempotency::{self, KnownRequest};
use slovo_db::jobs::{self, Job};
use slovo_rules::codes::ProblemCode;
use slovo_rules::job::REPEATABLE_HOURS;
use uuid::Uuid;

/// Name of the header.
const HEADER: &str = "idempotency-key";

/// Longest key, in characters.
const MAX_LENGTH: usize = 255;

const HOUR_MS: i64 = 60 * 60 * 1000;

/// The header of a request, if it has one. One that is no usable key is refused.
#[derive(Clone, Debug)]
pub struct IdempotencyKey(Option<String>);

impl FromRequestParts<AppState> for IdempotencyKey {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self, Problem> {
        let mut values = parts.headers.get_all(HEADER).iter();
        let Some(value) = values.next() else {
            return Ok(Self(None));
        };
        let key = Self::entered(value.to_str().unwrap_or_default());
        key.filter(|_| values.next().is_none()).ok_or_else(|| {
            Problem::new(StatusCode::BAD_REQUEST, ProblemCode::IdempotencyKeyInvalid).detail(
                format!("{HEADER} has to be one value of 1 to {MAX_LENGTH} visible characters."),
            )
        })
    }
}

impl IdempotencyKey {
    /// A key that came in another way than as a header; `None` if it is no usable key.
    #[must_use]
    pub fn entered(key: &str) -> Option<Self> {
        let is_visible = key.bytes().all(|byte| (b' '..=b'~').contains(&byte));
        let is_usable = is_visible && (1..=MAX_LENGTH).contains(&key.len());
        is_usable.then(|| Self(Some(key.to_owned())))
    }

    /// The key of a request for this.
    ///
    /// # Errors
    /// The request cannot be serialised.
    pub fn of(self, request: &impl Serialize) -> Result<Option<RepeatKey>, Problem> {
        let Some(key) = self.0 else {
            return Ok(None);
        };
        let request = serde_json::to_string(request).map_err(Problem::internal)?;
        // Only compared, never shown: any hash would do.
        let request = token_hash(&request);
        Ok(Some(RepeatKey { key, request }))
    }
}

/// A key, and what was asked for with it.
#[derive(Clone, Debug)]
pub struct RepeatKey {
    key: String,
    /// SHA-256 of the request.
    request: String,
}

impl RepeatKey {
    /// The job that the account has created with this key.
    ///
    /// # Errors
    /// It was created by another request.
    pub(super) async fn created(
        &self,
        connection: &mut Connection,
        user_id: &str,
        now: i64,
    ) -> Result<Option<Job>, Problem> {
        let found = idempotency::find(&mut *connection, user_id, &self.key, since(now)).await?;
        let Some(known) = found else {
            return Ok(None);
        };
        if known.request != self.request {
            return Err(Problem::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                ProblemCode::IdempotencyKeyReused,
            ));
        }
        Ok(jobs::find(connection, user_id, known.job).await?)
    }

    /// Stores the key with a new job. `false` if another request was faster.
    pub(super) async fn store(
        &self,
        connection: &mut Connection,
        user_id: &str,
        job: Uuid,
        now: i64,
    ) -> slovo_db::Result<bool> {
        let known = KnownRequest {
            job,
            request: self.request.clone(),
        };
        idempotency::insert(connection, user_id, &self.key, &known, (now, since(now))).await
    }
}

/// Older keys are forgotten.
fn since(now: i64) -> i64 {
    now - REPEATABLE_HOURS * HOUR_MS
}
