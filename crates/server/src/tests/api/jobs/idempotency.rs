//! Requests to create a job that are sent again with their `Idempotency-Key`.

use axum::body::Body;
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use slovo_test_media::prompts::WELCOME;

use super::support::{lite, upload};
use crate::testing::{Answer, Backend, TestServer, TestUser, apply, each_database, with_server};

const JOBS: &str = "/api/v1/jobs";

async fn create(server: &TestServer, who: &TestUser, key: &str, body: &Value) -> Answer {
    let request = server.request(Method::POST, JOBS, who);
    let request = request
        .header("content-type", "application/json")
        .header("idempotency-key", key);
    let body = Body::from(body.to_string());
    server.send(request.body(body).unwrap()).await
}

async fn job_count(server: &TestServer, who: &TestUser) -> usize {
    let jobs = server.get_as(who, JOBS).await.json();
    jobs["items"].as_array().unwrap().len()
}

#[apply(each_database!)]
fn a_repeated_request_gets_the_job_of_the_first_one(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let wav = std::fs::read(WELCOME.path()).unwrap();
        let body = json!({"upload_id": upload(&server, &me, "a.wav", &wav).await,
            "settings": lite()});
        let (one, other) = tokio::join!(
            create(&server, &me, "once", &body),
            create(&server, &me, "once", &body)
        );
        for answer in [&one, &other] {
            assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
        }
        let id = |answer: &Answer| answer.json()["my_job_id"].clone();
        assert_eq!(id(&one), id(&other));
        let replayed = [&one, &other].map(|it| it.header("idempotent-replayed").to_owned());
        assert!(replayed.contains(&"true".to_owned()) && replayed.contains(&String::new()));
        let later = create(&server, &me, "once", &body).await;
        assert_eq!((id(&later), later.status), (id(&one), StatusCode::CREATED));
        assert_eq!(job_count(&server, &me).await, 1);

        let second = json!({"upload_id": upload(&server, &me, "b.wav", &wav).await,
            "settings": lite()});
        let refused = create(&server, &me, "once", &second).await;
        refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "idempotency_key_reused");
        let stranger = server.signup("b@example.com").await;
        let theirs = json!({"upload_id": upload(&server, &stranger, "c.wav", &wav).await,
            "settings": lite()});
        let created = create(&server, &stranger, "once", &theirs).await;
        assert_eq!(
            created.header("idempotent-replayed"),
            "",
            "keys are of an account"
        );
        // A day later the key is free.
        server.clock.advance_seconds(24 * 60 * 60 + 1);
        let me = TestUser::from(
            &server
                .login("a@example.com", crate::testing::PASSWORD)
                .await
                .json(),
        );
        let third = json!({"upload_id": upload(&server, &me, "d.wav", &wav).await,
            "settings": lite()});
        let created = create(&server, &me, "once", &third).await;
        assert_eq!(created.status, StatusCode::CREATED, "{}", created.text());
        assert_eq!(job_count(&server, &me).await, 2);
    });
}

#[apply(each_database!)]
fn a_refused_request_does_not_use_up_its_key(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let wav = std::fs::read(WELCOME.path()).unwrap();
        let wrong = json!({"settings": lite()});
        let refused = create(&server, &me, "key", &wrong).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
        let body = json!({"upload_id": upload(&server, &me, "a.wav", &wav).await,
            "settings": lite()});
        for unusable in ["", &*"x".repeat(256)] {
            let refused = create(&server, &me, unusable, &body).await;
            refused.is_problem(StatusCode::BAD_REQUEST, "idempotency_key_invalid");
        }
        let created = create(&server, &me, "key", &body).await;
        assert_eq!(created.status, StatusCode::CREATED, "{}", created.text());
    });
}
