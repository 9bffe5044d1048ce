use axum::http::StatusCode;
use serde_json::json;

use crate::testing::{
    Answer, Backend, TestServer, TestUser, apply, assert_answer, each_database, with_server,
};

const DAY: i64 = 24 * 60 * 60;

async fn refresh(server: &TestServer, token: &str) -> Answer {
    server
        .post("/api/v1/auth/refresh", &json!({"refresh_token": token}))
        .await
}

#[apply(each_database!)]
fn each_refresh_gives_new_tokens_of_the_same_session(backend: Backend) {
    with_server(backend, async |server| {
        let first = server.signup("a@example.com").await;
        server.clock.advance_seconds(16 * 60);
        server
            .me(&first)
            .await
            .is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
        let answer = refresh(&server, &first.refresh_token).await;
        assert_answer!("refresh", answer);
        let second = TestUser::from(&answer.json());
        assert_ne!(first.refresh_token, second.refresh_token);
        assert_eq!(server.me(&second).await.status, StatusCode::OK);
    });
}

#[apply(each_database!)]
fn reusing_a_refresh_token_ends_the_session(backend: Backend) {
    with_server(backend, async |server| {
        let other_device = server.signup("a@example.com").await;
        let login = server
            .login("a@example.com", crate::testing::PASSWORD)
            .await;
        let stolen = TestUser::from(&login.json());
        let thief = TestUser::from(&refresh(&server, &stolen.refresh_token).await.json());
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
fn of_simultaneous_refreshes_one_succeeds_and_the_session_ends(backend: Backend) {
    with_server(backend, async |server| {
        let signed = server.signup("a@example.com").await;
        let uses = (0..4).map(|_| refresh(&server, &signed.refresh_token));
        let answers = futures_util::future::join_all(uses).await;
        let (succeeded, refused): (Vec<_>, Vec<_>) = answers
            .iter()
            .partition(|answer| answer.status == StatusCode::OK);
        assert_eq!((succeeded.len(), refused.len()), (1, 3));
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
            signed = TestUser::from(&refresh(&server, &signed.refresh_token).await.json());
        }
        server.clock.advance_seconds(30 * DAY);
        let late = refresh(&server, &signed.refresh_token).await;
        late.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
    });
}

#[apply(each_database!)]
fn invalid_refresh_tokens_are_refused(backend: Backend) {
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
