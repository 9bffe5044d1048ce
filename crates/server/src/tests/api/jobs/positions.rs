//! Playback positions.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use slovo_db::texts::positions;

use super::edits::support::Page;
use crate::testing::{Answer, Backend, TestUser, apply, each_database, with_server};
use crate::tests::api::me::support::send_json;

async fn save_position(page: &Page<'_>, who: &TestUser, body: &Value) -> Answer {
    let path = format!("{}/position", page.path);
    send_json(page.server, who, Method::PUT, &path, body).await
}

async fn save_seconds(page: &Page<'_>, seconds: f64) {
    let answer = save_position(page, page.who, &json!({"seconds": seconds})).await;
    assert_eq!(answer.status, StatusCode::NO_CONTENT, "{}", answer.text());
}

async fn saved_seconds(page: &Page<'_>) -> Value {
    page.get("/position").await["seconds"].clone()
}

#[apply(each_database!)]
fn the_latest_position_is_saved_and_the_beginning_removes_it(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день.", "Вітаю."]).await;
        let other = Page::on(&server, &me, &["Інша розмова."]).await;
        assert_eq!(page.get("/position").await, json!({"seconds": null}));
        for seconds in [12.3456, 4.0] {
            save_seconds(&page, seconds).await;
        }
        save_seconds(&other, 7.25).await;
        assert_eq!(saved_seconds(&page).await, 4.0);
        assert_eq!(saved_seconds(&other).await, 7.25);
        // The recording has 60 s; a player may measure slightly more.
        save_seconds(&page, 60.4).await;
        assert_eq!(saved_seconds(&page).await, 60.0);
        save_seconds(&page, 0.0).await;
        assert_eq!(saved_seconds(&page).await, Value::Null);
        assert_eq!(saved_seconds(&other).await, 7.25);
    });
}

#[apply(each_database!)]
fn invalid_positions_are_refused_and_change_nothing(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        save_seconds(&page, 5.0).await;
        for seconds in [-1.0, -1e-9, 1_000_001.0, 1e300] {
            let answer = save_position(&page, &me, &json!({"seconds": seconds})).await;
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        }
        let invalid = [
            json!({}),
            json!({"seconds": null}),
            json!({"seconds": "5"}),
            json!({"seconds": [5]}),
            json!({"seconds": 5, "user": "b"}),
        ];
        for body in invalid {
            let answer = save_position(&page, &me, &body).await;
            assert!(answer.status.is_client_error(), "{body}: {}", answer.text());
        }
        assert_eq!(saved_seconds(&page).await, 5.0);
    });
}

#[apply(each_database!)]
fn positions_in_jobs_of_others_cannot_be_read_or_saved(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        save_seconds(&page, 5.0).await;
        let other = server.signup("b@example.com").await;
        let path = format!("{}/position", page.path);
        for who in [&other, &admin] {
            let read = server.get_as(who, &path).await;
            read.is_problem(StatusCode::NOT_FOUND, "not_found");
            let answer = save_position(&page, who, &json!({"seconds": 9.0})).await;
            answer.is_problem(StatusCode::NOT_FOUND, "not_found");
        }
        let anonymous = server.get(&path).await;
        anonymous.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
        assert_eq!(saved_seconds(&page).await, 5.0);
    });
}

#[apply(each_database!)]
fn a_position_is_deleted_with_its_job(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let other = Page::on(&server, &me, &["Інша розмова."]).await;
        save_seconds(&page, 5.0).await;
        save_seconds(&other, 6.0).await;
        let deleted = send_json(&server, &me, Method::DELETE, &page.path, &Value::Null).await;
        assert!(deleted.status.is_success(), "{}", deleted.text());
        let mut connection = server.state.db.read().await.unwrap();
        let position = positions::find(&mut connection, &me.user_id, page.job).await;
        assert_eq!(position.unwrap(), None);
        drop(connection);
        assert_eq!(saved_seconds(&other).await, 6.0);
    });
}
