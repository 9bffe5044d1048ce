//! `POST /api/v1/auth/refresh`: exchanges a refresh token for new tokens. Each refresh token is
//! valid once; a second use means that it was copied, and ends the session.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use slovo_db::accounts::Status;
use slovo_db::accounts::sessions::{self, EndReason, Rotation};
use utoipa::ToSchema;

use crate::auth::Origin;
use crate::auth::session::{self, RefreshToken, Session};
use crate::http::{Document, Json, Problem};
use crate::state::AppState;

/// A refresh token.
#[derive(Deserialize, ToSchema)]
pub(super) struct RefreshForm {
    /// As it came with the session.
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
            Self::Reused => Problem::new(StatusCode::UNAUTHORIZED, "token_reused"),
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
    // Anybody can call this: unknown tokens are refused without taking the write lock.
    let known = sessions::session_of_token(&mut *state.db.read().await?, &used).await?;
    known.ok_or(Error::Refused)?;
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

#[cfg(test)]
mod tests {
    use axum::http::StatusCode;
    use serde_json::json;

    use crate::testing::{
        Answer, Backend, Signed, TestServer, apply, assert_answer, each_database, with_server,
    };

    const DAY: i64 = 24 * 60 * 60;

    async fn refresh(server: &TestServer, token: &str) -> Answer {
        server
            .post("/api/v1/auth/refresh", &json!({"refresh_token": token}))
            .await
    }

    #[apply(each_database!)]
    fn each_use_gives_new_tokens_of_the_same_session(backend: Backend) {
        with_server(backend, async |server| {
            let first = server.signup("a@example.com").await;
            server.clock.advance_seconds(16 * 60);
            server
                .me(&first)
                .await
                .is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
            let answer = refresh(&server, &first.refresh_token).await;
            assert_answer!("refresh", answer);
            let second = Signed::from(&answer.json());
            assert_ne!(first.refresh_token, second.refresh_token);
            assert_eq!(server.me(&second).await.status, StatusCode::OK);
        });
    }

    #[apply(each_database!)]
    fn a_second_use_ends_the_session_for_both(backend: Backend) {
        with_server(backend, async |server| {
            let other_device = server.signup("a@example.com").await;
            let login = server
                .login("a@example.com", crate::testing::PASSWORD)
                .await;
            let stolen = Signed::from(&login.json());
            let thief = Signed::from(&refresh(&server, &stolen.refresh_token).await.json());
            assert_eq!(server.me(&thief).await.status, StatusCode::OK);

            let owner = refresh(&server, &stolen.refresh_token).await;
            assert_answer!("refresh_reused", owner);
            server
                .me(&thief)
                .await
                .is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
            server
                .me(&stolen)
                .await
                .is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
            let again = refresh(&server, &thief.refresh_token).await;
            again.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
            assert_eq!(server.me(&other_device).await.status, StatusCode::OK);
        });
    }

    #[apply(each_database!)]
    fn of_many_uses_at_the_same_moment_one_gives_tokens_and_the_session_ends(backend: Backend) {
        with_server(backend, async |server| {
            let signed = server.signup("a@example.com").await;
            let uses = (0..4).map(|_| refresh(&server, &signed.refresh_token));
            let answers = futures_util::future::join_all(uses).await;
            let (given, refused): (Vec<_>, Vec<_>) = answers
                .iter()
                .partition(|answer| answer.status == StatusCode::OK);
            assert_eq!((given.len(), refused.len()), (1, 3));
            for answer in refused {
                answer.is_problem(StatusCode::UNAUTHORIZED, "token_reused");
            }
            server
                .me(&signed)
                .await
                .is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
        });
    }

    #[apply(each_database!)]
    fn a_session_lasts_thirty_days_from_its_last_use(backend: Backend) {
        with_server(backend, async |server| {
            let mut signed = server.signup("a@example.com").await;
            for _ in 0..3 {
                server.clock.advance_seconds(29 * DAY);
                signed = Signed::from(&refresh(&server, &signed.refresh_token).await.json());
            }
            server.clock.advance_seconds(30 * DAY);
            let late = refresh(&server, &signed.refresh_token).await;
            late.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
        });
    }

    #[apply(each_database!)]
    fn what_is_no_token_is_refused(backend: Backend) {
        with_server(backend, async |server| {
            let signed = server.signup("a@example.com").await;
            let long = "x".repeat(100_000);
            for junk in ["", "x", "' OR 1=1 --", "\u{0}", &signed.access_token, &long] {
                let answer = refresh(&server, junk).await;
                answer.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
            }
            for body in [
                json!({}),
                json!({"refresh_token": 5}),
                json!([]),
                json!(null),
            ] {
                let answer = server.post("/api/v1/auth/refresh", &body).await;
                answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "unexpected_json");
            }
            assert_eq!(server.me(&signed).await.status, StatusCode::OK);
        });
    }
}
