//! `POST /api/v1/auth/logout`: ends a session.

use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use slovo_db::accounts::sessions::{self, EndReason};
use utoipa::ToSchema;

use crate::auth::session;
use crate::http::{Json, Problem};
use crate::state::AppState;

/// Which session.
#[derive(Deserialize, ToSchema)]
pub(super) struct LogoutForm {
    /// A refresh token of the session; whoever holds it may end it, signed in or not.
    pub refresh_token: String,
}

/// Ends the session of a refresh token. It is not an error if the session is unknown or has already
/// ended.
#[utoipa::path(post, path = "/logout", tag = "auth", security(()), request_body = LogoutForm,
    responses((status = NO_CONTENT)))]
pub(super) async fn logout(
    State(state): State<AppState>,
    Json(form): Json<LogoutForm>,
) -> Result<StatusCode, Problem> {
    let hash = session::token_hash(&form.refresh_token);
    // Anybody can call this: unknown tokens are refused without taking the write lock.
    let session = sessions::session_of_token(&mut *state.db.read().await?, &hash).await?;
    if let Some(id) = session {
        let mut transaction = state.db.write().await?;
        let now = state.clock.now_ms();
        sessions::end(&mut transaction, &id, EndReason::SignedOut, now).await?;
        transaction.commit().await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

#[cfg(test)]
mod tests {
    use axum::http::StatusCode;
    use serde_json::json;

    use crate::testing::{Backend, PASSWORD, Signed, apply, each_database, with_server};

    const PATH: &str = "/api/v1/auth/logout";

    #[apply(each_database!)]
    fn the_session_ends_at_once_and_others_go_on(backend: Backend) {
        with_server(backend, async |server| {
            let phone = server.signup("a@example.com").await;
            let laptop = Signed::from(&server.login("a@example.com", PASSWORD).await.json());
            let form = json!({"refresh_token": phone.refresh_token});
            let answer = server.post(PATH, &form).await;
            assert_eq!(
                (answer.status, answer.body.len()),
                (StatusCode::NO_CONTENT, 0)
            );
            server
                .me(&phone)
                .await
                .is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
            let refreshed = server.post("/api/v1/auth/refresh", &form).await;
            refreshed.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
            assert_eq!(server.me(&laptop).await.status, StatusCode::OK);
            assert_eq!(
                server.post(PATH, &form).await.status,
                StatusCode::NO_CONTENT
            );
        });
    }

    #[apply(each_database!)]
    fn signing_out_with_a_token_that_was_used_ends_its_session_too(backend: Backend) {
        with_server(backend, async |server| {
            let old = server.signup("a@example.com").await;
            let form = json!({"refresh_token": old.refresh_token});
            let new = Signed::from(&server.post("/api/v1/auth/refresh", &form).await.json());
            assert_eq!(
                server.post(PATH, &form).await.status,
                StatusCode::NO_CONTENT
            );
            server
                .me(&new)
                .await
                .is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
        });
    }

    #[apply(each_database!)]
    fn an_unknown_token_changes_nothing(backend: Backend) {
        with_server(backend, async |server| {
            let signed = server.signup("a@example.com").await;
            let answer = server
                .post(PATH, &json!({"refresh_token": "' OR 1=1 --"}))
                .await;
            assert_eq!(answer.status, StatusCode::NO_CONTENT);
            let answer = server.post(PATH, &json!({})).await;
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "unexpected_json");
            assert_eq!(server.me(&signed).await.status, StatusCode::OK);
        });
    }
}
