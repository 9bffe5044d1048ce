use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::testing::{
    Answer, Backend, TestServer, apply, assert_answer, each_database, with_server,
    with_server_options,
};

const EMAIL: &str = "a@example.com";

async fn resend(server: &TestServer, sign_up: &Value) -> Answer {
    let form = json!({"registration": sign_up["registration"]});
    server.post("/api/v1/auth/verify/resend", &form).await
}

#[apply(each_database!)]
fn a_new_code_replaces_the_one_before(backend: Backend) {
    with_server(backend, async |server| {
        let sign_up = server.register(EMAIL).await;
        let first = server.last_mail(EMAIL).await.code();
        server.clock.advance_seconds(60);
        assert_answer!("resend", resend(&server, &sign_up).await);
        let second = server.last_mail(EMAIL).await.code();
        assert_ne!(first, second);
        let old = server.verify(&sign_up, &first).await;
        old.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "invalid_code");
        let new = server.verify(&sign_up, &second).await;
        assert_eq!(new.status, StatusCode::CREATED);
    });
}

#[apply(each_database!)]
fn codes_are_mailed_once_a_minute_and_at_most_five_times(backend: Backend) {
    with_server_options(backend, &["--mails-per-hour", "100"], async |server| {
        let sign_up = server.register(EMAIL).await;
        assert_answer!("resend_too_soon", resend(&server, &sign_up).await);
        for _ in 0..4 {
            server.clock.advance_seconds(60);
            assert_eq!(resend(&server, &sign_up).await.status, StatusCode::OK);
        }
        server.clock.advance_seconds(60);
        let refused = resend(&server, &sign_up).await;
        refused.is_problem(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
        assert_eq!(server.mails().await.len(), 5);
    });
}

#[apply(each_database!)]
fn a_clock_set_back_does_not_lengthen_the_pause(backend: Backend) {
    with_server(backend, async |server| {
        let sign_up = server.register(EMAIL).await;
        server.clock.set_back_seconds(3_600);
        let again = resend(&server, &sign_up).await;
        assert_eq!(again.status, StatusCode::OK);
        assert_eq!(again.json()["resend_after"], 60);
        let refused = resend(&server, &sign_up).await;
        refused.is_problem(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
        server.clock.advance_seconds(60);
        assert_eq!(resend(&server, &sign_up).await.status, StatusCode::OK);
    });
}

#[apply(each_database!)]
fn simultaneous_requests_send_one_code(backend: Backend) {
    with_server(backend, async |server| {
        let sign_up = server.register(EMAIL).await;
        server.clock.advance_seconds(60);
        let (left, right) = tokio::join!(resend(&server, &sign_up), resend(&server, &sign_up));
        let mut statuses = [left.status.as_u16(), right.status.as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 429]);
        assert_eq!(server.mails().await.len(), 2);
    });
}

#[apply(each_database!)]
fn unknown_and_expired_sign_ups_get_no_code(backend: Backend) {
    with_server(backend, async |server| {
        let answer = resend(&server, &json!({"registration": "x"})).await;
        answer.is_problem(StatusCode::GONE, "registration_expired");
        let sign_up = server.register(EMAIL).await;
        server.clock.advance_seconds(24 * 60 * 60);
        let answer = resend(&server, &sign_up).await;
        answer.is_problem(StatusCode::GONE, "registration_expired");
    });
}
