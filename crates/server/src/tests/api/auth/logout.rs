use axum::http::StatusCode;
use serde_json::json;

use crate::testing::{Backend, PASSWORD, TestUser, apply, each_database, with_server};

const PATH: &str = "/api/v1/auth/logout";

#[apply(each_database!)]
fn signing_out_ends_only_this_session(backend: Backend) {
    with_server(backend, async |server| {
        let phone = server.signup("a@example.com").await;
        let laptop = TestUser::from(&server.login("a@example.com", PASSWORD).await.json());
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
fn signing_out_with_a_used_token_ends_its_session(backend: Backend) {
    with_server(backend, async |server| {
        let old = server.signup("a@example.com").await;
        let form = json!({"refresh_token": old.refresh_token});
        let new = TestUser::from(&server.post("/api/v1/auth/refresh", &form).await.json());
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
