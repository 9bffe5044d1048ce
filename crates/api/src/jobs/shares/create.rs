//! `POST /api/v1/jobs/{id}/shares`: creates a link.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use serde::Deserialize;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::texts::projection;
use slovo_db::texts::shares::{self, Share};
use slovo_rules::codes::ProblemCode;
use slovo_rules::share::{MAX_SHARES, ShareRights, validate_open_edit};
use slovo_rules::violation::Violations;
use slovo_server_settings::require;
use utoipa::ToSchema;

use super::super::OwnJob;
use super::{ShareBody, hashed};

/// The properties of a new link.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct NewShare {
    /// When it stops working; null if it does not expire.
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Option<Timestamp>,
    /// Whether the link includes the recording.
    with_media: bool,
    /// Whether visitors see the confidence of each word; false if absent.
    #[serde(default)]
    with_confidence: bool,
    /// What visitors may do; `read` if absent.
    #[serde(default = "reading")]
    rights: ShareRights,
    /// Password for visitors: 8 to 1,024 characters, and not easy to guess. Null or absent for no
    /// password.
    #[serde(default)]
    password: Option<String>,
    /// Required if `rights` is `edit` and there is no password: confirms that anyone with the link
    /// may edit.
    #[serde(default)]
    edit_without_password: bool,
}

const fn reading() -> ShareRights {
    ShareRights::Read
}

/// Why no link was created.
#[derive(Debug)]
pub(in super::super) enum Error {
    /// There is no text to share.
    NotReady,
    /// Its expiry is in the past.
    InThePast,
    /// The job has the maximum number of links.
    TooMany,
    /// An internal error.
    Other(Problem),
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Self::Other(problem)
    }
}

impl From<slovo_db::Error> for Error {
    fn from(error: slovo_db::Error) -> Self {
        Self::Other(error.into())
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Self::NotReady => Problem::new(StatusCode::CONFLICT, ProblemCode::TranscriptNotReady),
            Self::InThePast => {
                Problem::new(StatusCode::UNPROCESSABLE_ENTITY, ProblemCode::ExpiresInPast)
            }
            Self::TooMany => Problem::new(StatusCode::CONFLICT, ProblemCode::TooManyShares),
            Self::Other(problem) => problem,
        }
        .into_response()
    }
}

/// Creates a share link: anyone who has it can read the current transcript. A link that allows
/// editing requires a password, or `edit_without_password`.
#[utoipa::path(post, path = "/jobs/{id}/shares", tag = "shares", operation_id = "create_share",
    params(("id" = String, Path, description = "Job id")),
    request_body = NewShare,
    responses(
        (status = CREATED, body = ShareBody),
        (status = FORBIDDEN, body = Document, description = "sharing_off"),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = CONFLICT, body = Document, description = "transcript_not_ready; too_many_shares"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "expires_in_past; \
            validation_failed"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited: 60 passwords an \
            hour"),
    ))]
pub(in super::super) async fn create(
    State(state): State<AppState>,
    own: OwnJob,
    Json(form): Json<NewShare>,
) -> Result<(StatusCode, Json<ShareBody>), Error> {
    let switches = state.settings.current().await?.switches;
    require(switches.sharing, ProblemCode::SharingOff).map_err(Problem::from)?;
    let now = state.clock.now();
    if form.expires_at.is_some_and(|expires| expires <= now) {
        return Err(Error::InThePast);
    }
    let (locked, confirmed) = (form.password.is_some(), form.edit_without_password);
    validate_open_edit(form.rights, locked, confirmed)
        .map_err(|violation| Problem::from(Violations::from(violation)))?;
    let password_hash = match &form.password {
        Some(password) => Some(hashed(&state, &own.job.user_id, password).await?),
        None => None,
    };
    let share = Share {
        id: state.new_id().parse().map_err(Problem::internal)?,
        job_id: own.job.id,
        with_media: form.with_media,
        with_confidence: form.with_confidence,
        rights: form.rights,
        password_hash,
        password_version: 0,
        created_at: now.as_millisecond(),
        expires_at: form.expires_at.map(Timestamp::as_millisecond),
        opened: 0,
        last_opened_at: None,
    };
    let mut transaction = state.db.write().await?;
    if projection::displayed_version(&mut transaction, own.job.id)
        .await?
        .is_none()
    {
        return Err(Error::NotReady);
    }
    if shares::list(&mut transaction, own.job.id).await?.len() >= MAX_SHARES {
        return Err(Error::TooMany);
    }
    shares::insert(&mut transaction, &share).await?;
    transaction.commit().await?;
    Ok((StatusCode::CREATED, Json(ShareBody::of(&state, &share))))
}
