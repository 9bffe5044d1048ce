//! Deleting the caller's account.

use std::time::Duration;

use axum::body::Body;
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use slovo_db::accounts;

use super::support::{job, send_json};
use crate::testing::{
    Answer, Backend, PASSWORD, TIMEOUT, TestServer, TestUser, apply, each_database, with_server,
};

async fn delete(server: &TestServer, who: &TestUser, form: &Value) -> Answer {
    send_json(server, who, Method::DELETE, "/api/v1/me", form).await
}

fn media(server: &TestServer) -> usize {
    let folder = server.state.config.data().join("media");
    std::fs::read_dir(folder).unwrap().count()
}

async fn open_upload(server: &TestServer, who: &TestUser) {
    let request = server
        .request(Method::POST, "/api/v1/uploads", who)
        .header("tus-resumable", "1.0.0")
        .header("content-type", "application/offset+octet-stream")
        .header("content-length", 3)
        .header("upload-length", 100_000);
    let answer = server.send(request.body(Body::from("ID3")).unwrap()).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
}

#[apply(each_database!)]
fn deleting_an_account_removes_its_sessions_files_and_jobs(backend: Backend) {
    with_server(backend, async |server| {
        let other = server.signup("admin@example.com").await;
        let other_job = job(&server, &other, "kept.wav", b"kept").await;
        let me = server.signup("a@example.com").await;
        let other_session = server.login("a@example.com", PASSWORD).await.json();
        let other_session = TestUser::from(&other_session);
        let running = job(&server, &me, "a.wav", b"recording").await;
        job(&server, &me, "b.wav", b"recording").await;
        open_upload(&server, &me).await;
        let avatars = &server.state.avatars;
        avatars.store(&me.user_id, "v", vec![1]).await.unwrap();
        assert_eq!(media(&server), 4);
        let run = server.state.jobs.live().run(running);
        let engine = tokio::spawn(async move {
            while !run.running.cancel.is_cancelled() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            drop(run);
        });

        let wrong = delete(&server, &me, &json!({"password": "Wrong-Horse-77"})).await;
        wrong.is_problem(StatusCode::FORBIDDEN, "wrong_password");
        for form in [json!({}), json!({"email": "a@example.com"})] {
            let answer = delete(&server, &me, &form).await;
            answer.is_problem(StatusCode::FORBIDDEN, "wrong_password");
        }
        assert_eq!(server.me(&me).await.status, StatusCode::OK);
        let deleted = delete(&server, &me, &json!({"password": PASSWORD})).await;
        assert_eq!(deleted.status, StatusCode::NO_CONTENT, "{}", deleted.text());

        let ended = tokio::time::timeout(TIMEOUT, engine).await;
        ended.unwrap().unwrap();
        for signed in [&me, &other_session] {
            let answer = server.me(signed).await;
            answer.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
            let token = json!({"refresh_token": signed.refresh_token});
            let refreshed = server.post("/api/v1/auth/refresh", &token).await;
            assert_eq!(refreshed.status, StatusCode::UNAUTHORIZED);
        }
        let login = server.login("a@example.com", PASSWORD).await;
        login.is_problem(StatusCode::UNAUTHORIZED, "invalid_credentials");
        assert_eq!(media(&server), 1);
        let folder = server.state.config.data().join("avatars");
        assert!(!folder.join(&me.user_id).exists());
        let path = format!("/api/v1/jobs/{other_job}");
        assert_eq!(server.get_as(&other, &path).await.status, StatusCode::OK);

        let again = server.signup("a@example.com").await;
        assert_ne!(again.user_id, me.user_id);
        assert_eq!(server.me(&again).await.json()["role"], "user");
        let jobs = server.get_as(&again, "/api/v1/jobs").await.json();
        assert_eq!(jobs["items"], json!([]));
    });
}

#[apply(each_database!)]
fn an_account_without_a_password_is_deleted_by_its_address(backend: Backend) {
    with_server(backend, async |server| {
        server.signup("admin@example.com").await;
        let me = server.signup("a@example.com").await;
        let mut transaction = server.state.db.write().await.unwrap();
        accounts::set_password(&mut transaction, &me.user_id, "", 1)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        for form in [
            json!({}),
            json!({"password": ""}),
            json!({"password": PASSWORD}),
            json!({"email": "admin@example.com"}),
        ] {
            let answer = delete(&server, &me, &form).await;
            answer.is_problem(StatusCode::FORBIDDEN, "wrong_password");
        }
        let deleted = delete(&server, &me, &json!({"email": " A@Example.com "})).await;
        assert_eq!(deleted.status, StatusCode::NO_CONTENT);
        assert_eq!(server.me(&me).await.status, StatusCode::UNAUTHORIZED);
    });
}

#[apply(each_database!)]
fn the_last_administrator_stays_even_if_two_delete_at_once(backend: Backend) {
    with_server(backend, async |server| {
        let first = server.signup("a@example.com").await;
        let form = json!({"password": PASSWORD});
        job(&server, &first, "a.wav", b"recording").await;
        let refused = delete(&server, &first, &form).await;
        refused.is_problem(StatusCode::CONFLICT, "last_admin");
        assert_eq!(media(&server), 1, "nothing was removed");

        let second = server.signup("b@example.com").await;
        let mut transaction = server.state.db.write().await.unwrap();
        accounts::roles::grant_admin(&mut transaction, &second.user_id, 1)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        let (first_answer, second_answer) = tokio::join!(
            delete(&server, &first, &form),
            delete(&server, &second, &form)
        );
        let mut statuses = [first_answer.status, second_answer.status];
        statuses.sort();
        assert_eq!(statuses, [StatusCode::NO_CONTENT, StatusCode::CONFLICT]);
    });
}

#[apply(each_database!)]
fn wrong_passwords_are_rate_limited_when_deleting_an_account(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let wrong = json!({"password": "Wrong-Horse-77"});
        let mut limited = None;
        for _ in 0..20 {
            let answer = delete(&server, &me, &wrong).await;
            if answer.status != StatusCode::FORBIDDEN {
                limited = Some(answer);
                break;
            }
        }
        limited
            .unwrap()
            .is_problem(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
    });
}
