use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::testing::{
    Answer, Backend, TestServer, apply, assert_answer, each_database, with_server,
    with_server_options,
};

const EMAIL: &str = "a@example.com";

async fn resend(server: &TestServer, begun: &Value) -> Answer {
    let form = json!({"registration": begun["registration"]});
    server.post("/api/v1/auth/verify/resend", &form).await
}

#[apply(each_database!)]
fn another_code_takes_the_place_of_the_one_before(backend: Backend) {
    with_server(backend, async |server| {
        let begun = server.register(EMAIL).await;
        let first = server.last_mail(EMAIL).await.code();
        server.clock.advance_seconds(60);
        assert_answer!("resend", resend(&server, &begun).await);
        let second = server.last_mail(EMAIL).await.code();
        assert_ne!(first, second);
        let old = server.verify(&begun, &first).await;
        old.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "invalid_code");
        let new = server.verify(&begun, &second).await;
        assert_eq!(new.status, StatusCode::CREATED);
    });
}

#[apply(each_database!)]
fn it_is_a_minute_between_two_and_five_at_most(backend: Backend) {
    with_server_options(backend, &["--mails-per-hour", "100"], async |server| {
        let begun = server.register(EMAIL).await;
        assert_answer!("resend_too_soon", resend(&server, &begun).await);
        for _ in 0..4 {
            server.clock.advance_seconds(60);
            assert_eq!(resend(&server, &begun).await.status, StatusCode::OK);
        }
        server.clock.advance_seconds(60);
        let refused = resend(&server, &begun).await;
        refused.is_problem(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
        assert_eq!(server.mails().await.len(), 5);
    });
}

#[apply(each_database!)]
fn two_at_the_same_moment_send_one(backend: Backend) {
    with_server(backend, async |server| {
        let begun = server.register(EMAIL).await;
        server.clock.advance_seconds(60);
        let (left, right) = tokio::join!(resend(&server, &begun), resend(&server, &begun));
        let mut statuses = [left.status.as_u16(), right.status.as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 429]);
        assert_eq!(server.mails().await.len(), 2);
    });
}

#[apply(each_database!)]
fn nothing_is_sent_for_what_is_not_waiting(backend: Backend) {
    with_server(backend, async |server| {
        let answer = resend(&server, &json!({"registration": "x"})).await;
        answer.is_problem(StatusCode::GONE, "registration_expired");
        let begun = server.register(EMAIL).await;
        server.clock.advance_seconds(24 * 60 * 60);
        let answer = resend(&server, &begun).await;
        answer.is_problem(StatusCode::GONE, "registration_expired");
    });
}
