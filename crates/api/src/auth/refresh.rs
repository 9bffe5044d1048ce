//! `POST /api/v1/auth/refresh`: exchanges a refresh token for new tokens. Each refresh token is
//! valid once; a second use means that it was copied, and ends the session.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use slovo_app::auth::Origin;
use slovo_app::auth::session::{self, RefreshToken, Session};
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::accounts::Status;
use slovo_db::accounts::sessions::{self, EndReason, Rotation};
use slovo_rules::codes::ProblemCode;
use utoipa::ToSchema;

/// A refresh token.
#[derive(Deserialize, ToSchema)]
pub(super) struct RefreshForm {
    /// The refresh token returned with the session.
    pub refresh_token: String,
}

/// Why there are no new tokens.
#[derive(Debug)]
pub(super) enum Error {
    /// Unknown, expired, or of a session that has ended.
    Refused,
    /// Used before; the session is ended.
    Reused,
    Internal(anyhow::Error),
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Self::Refused => Problem::unauthorized(),
            Self::Reused => Problem::new(StatusCode::UNAUTHORIZED, ProblemCode::TokenReused),
            Self::Internal(error) => Problem::internal(error),
        }
        .into_response()
    }
}

impl<E: Into<anyhow::Error>> From<E> for Error {
    fn from(error: E) -> Self {
        Self::Internal(error.into())
    }
}

/// Exchanges a refresh token for the next tokens of its session.
#[utoipa::path(post, path = "/refresh", tag = "auth", security(()), request_body = RefreshForm,
    responses(
        (status = OK, body = Session),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized, token_reused"),
    ))]
pub(super) async fn refresh(
    State(state): State<AppState>,
    origin: Origin,
    Json(form): Json<RefreshForm>,
) -> Result<Json<Session>, Error> {
    let now = state.clock.now();
    let next = RefreshToken::new(&*state.random, now.as_millisecond());
    let used = session::token_hash(&form.refresh_token);
    // Callers are not authenticated: unknown tokens are refused without taking the write lock.
    let session = sessions::session_of_token(&mut *state.db.read().await?, &used).await?;
    session.ok_or(Error::Refused)?;
    let mut transaction = state.db.write().await?;
    let rotation = sessions::rotate(&mut transaction, &used, &next.row(), &origin.device).await?;
    let outcome = match rotation {
        Rotation::Rotated {
            session_id,
            account,
        } if account.status == Status::Blocked => {
            sessions::end(
                &mut transaction,
                &session_id,
                EndReason::Blocked,
                now.as_millisecond(),
            )
            .await?;
            Err(Error::Refused)
        }
        Rotation::Rotated {
            session_id,
            account,
        } => Ok(session::issue(
            state.auth(),
            account,
            &session_id,
            next.token,
            now,
        )?),
        Rotation::Reused {
            session_id,
            user_id,
        } => {
            tracing::warn!(
                session_id,
                user_id,
                "a refresh token was used twice, its session ends"
            );
            Err(Error::Reused)
        }
        Rotation::Refused => Err(Error::Refused),
    };
    // Also when refused: the use of the token, or the end of the session, must be stored.
    transaction.commit().await?;
    outcome.map(Json)
}
