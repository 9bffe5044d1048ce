//! Playback positions.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use slovo_db::texts::positions;

use super::edits::support::Page;
use crate::testing::{Answer, Backend, Signed, apply, each_database, with_server};
use crate::tests::api::me::support::send_json;

async fn keep(page: &Page<'_>, who: &Signed, body: &Value) -> Answer {
    let path = format!("{}/position", page.path);
    send_json(page.server, who, Method::PUT, &path, body).await
}

async fn keep_at(page: &Page<'_>, seconds: f64) {
    let answer = keep(page, page.who, &json!({"seconds": seconds})).await;
    assert_eq!(answer.status, StatusCode::NO_CONTENT, "{}", answer.text());
}

async fn kept(page: &Page<'_>) -> Value {
    page.get("/position").await["seconds"].clone()
}

#[apply(each_database!)]
fn the_latest_place_is_kept_and_the_beginning_forgets_it(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день.", "Вітаю."]).await;
        let other = Page::on(&server, &me, &["Інша розмова."]).await;
        assert_eq!(page.get("/position").await, json!({"seconds": null}));
        for seconds in [12.3456, 4.0] {
            keep_at(&page, seconds).await;
        }
        keep_at(&other, 7.25).await;
        assert_eq!(kept(&page).await, 4.0);
        assert_eq!(kept(&other).await, 7.25);
        // The recording has 60 s; a player may measure slightly more.
        keep_at(&page, 60.4).await;
        assert_eq!(kept(&page).await, 60.0);
        keep_at(&page, 0.0).await;
        assert_eq!(kept(&page).await, Value::Null);
        assert_eq!(kept(&other).await, 7.25);
    });
}

#[apply(each_database!)]
fn what_is_no_place_is_refused_and_changes_nothing(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        keep_at(&page, 5.0).await;
        for seconds in [-1.0, -1e-9, 1_000_001.0, 1e300] {
            let answer = keep(&page, &me, &json!({"seconds": seconds})).await;
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        }
        let wrong = [
            json!({}),
            json!({"seconds": null}),
            json!({"seconds": "5"}),
            json!({"seconds": [5]}),
            json!({"seconds": 5, "user": "b"}),
        ];
        for body in wrong {
            let answer = keep(&page, &me, &body).await;
            assert!(answer.status.is_client_error(), "{body}: {}", answer.text());
        }
        assert_eq!(kept(&page).await, 5.0);
    });
}

#[apply(each_database!)]
fn nobody_sees_or_keeps_a_place_in_what_is_somebody_else_s(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        keep_at(&page, 5.0).await;
        let other = server.signup("b@example.com").await;
        let path = format!("{}/position", page.path);
        for who in [&other, &admin] {
            let seen = server.get_as(who, &path).await;
            seen.is_problem(StatusCode::NOT_FOUND, "not_found");
            let answer = keep(&page, who, &json!({"seconds": 9.0})).await;
            answer.is_problem(StatusCode::NOT_FOUND, "not_found");
        }
        let stranger = server.get(&path).await;
        stranger.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
        assert_eq!(kept(&page).await, 5.0);
    });
}

#[apply(each_database!)]
fn a_place_goes_with_its_job(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let other = Page::on(&server, &me, &["Інша розмова."]).await;
        keep_at(&page, 5.0).await;
        keep_at(&other, 6.0).await;
        let gone = send_json(&server, &me, Method::DELETE, &page.path, &Value::Null).await;
        assert!(gone.status.is_success(), "{}", gone.text());
        let mut connection = server.state.db.read().await.unwrap();
        let place = positions::find(&mut connection, &me.user_id, page.job).await;
        assert_eq!(place.unwrap(), None);
        drop(connection);
        assert_eq!(kept(&other).await, 6.0);
    });
}
