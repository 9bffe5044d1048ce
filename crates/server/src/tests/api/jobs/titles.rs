//! Titles that owners give their jobs.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use slovo_transcripts::search::{ChangingJobs, index_waiting};

use super::edits::support::Page;
use crate::testing::{Answer, Backend, TestServer, TestUser, apply, each_database, with_server};
use crate::tests::api::me::support::send_json;

async fn rename(page: &Page<'_>, who: &TestUser, body: &Value) -> Answer {
    let path = format!("{}/title", page.path);
    send_json(page.server, who, Method::PUT, &path, body).await
}

async fn set_title(page: &Page<'_>, title: &str) -> Value {
    let answer = rename(page, page.who, &json!({"title": title})).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    answer.json()
}

/// Number of jobs found by name and by text.
async fn count_found(server: &TestServer, who: &TestUser, query: &str) -> (usize, usize) {
    let mut unsettled = ChangingJobs::default();
    for _ in 0..2 {
        index_waiting(&server.state.db, &server.state.shutdown, &mut unsettled)
            .await
            .unwrap();
    }
    let mut counts = [0, 0];
    for (count, list) in counts.iter_mut().zip(["jobs", "search"]) {
        let answer = server
            .get_as(who, &format!("/api/v1/{list}?q={query}"))
            .await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        *count = answer.json()["items"].as_array().unwrap().len();
    }
    (counts[0], counts[1])
}

#[apply(each_database!)]
fn a_title_replaces_the_file_name_until_it_is_removed(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let before = page.get("").await;
        assert_eq!(before["title"], Value::Null);
        let file = before["original_filename"].clone();
        let job = set_title(&page, "  Interview\n v1.2 <b>\u{202e} ").await;
        assert_eq!(job["title"], "Interview v1.2 <b>");
        assert_eq!(job["original_filename"], file);
        assert_eq!(page.get("").await["title"], "Interview v1.2 <b>");
        assert_eq!(count_found(&server, &me, "interview").await, (1, 1));
        let export = format!("{}/export?format=txt", page.path);
        let export = server.get_as(&me, &export).await;
        assert_eq!(export.status, StatusCode::OK, "{}", export.text());
        assert_eq!(
            export.header("content-disposition"),
            "attachment; filename=\"Interview v1.2 _b_.txt\"; \
             filename*=UTF-8''Interview%20v1.2%20%3Cb%3E.txt"
        );
        let shares = format!("{}/shares", page.path);
        let share = server
            .post_as(&me, &shares, &json!({"with_media": false}))
            .await;
        let share = share.json();
        let token = share["url"].as_str().unwrap().rsplit('/').next().unwrap();
        let opened = server.get(&format!("/api/v1/shared/{token}")).await.json();
        assert_eq!(opened["title"], "Interview v1.2 <b>");
        assert_eq!(set_title(&page, " \t ").await["title"], Value::Null);
        assert_eq!(count_found(&server, &me, "interview").await, (0, 0));
        let opened = server.get(&format!("/api/v1/shared/{token}")).await.json();
        assert!(
            file.as_str()
                .unwrap()
                .starts_with(opened["title"].as_str().unwrap())
        );
    });
}

#[apply(each_database!)]
fn invalid_titles_are_refused_and_change_nothing(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        set_title(&page, &"ї".repeat(200)).await;
        let long = rename(&page, &me, &json!({"title": "ї".repeat(201)})).await;
        long.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        assert_eq!(long.json()["errors"][0]["code"], "too_long");
        for body in [
            json!({}),
            json!({"title": null}),
            json!({"title": 5}),
            json!({"title": "a", "auth_user_id": "b"}),
        ] {
            let answer = rename(&page, &me, &body).await;
            assert!(answer.status.is_client_error(), "{body}: {}", answer.text());
        }
        assert_eq!(page.get("").await["title"], "ї".repeat(200));
    });
}

#[apply(each_database!)]
fn only_the_owner_can_set_a_title(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        set_title(&page, "Моя назва").await;
        let other = server.signup("b@example.com").await;
        for who in [&other, &admin] {
            let answer = rename(&page, who, &json!({"title": "Чужа"})).await;
            answer.is_problem(StatusCode::NOT_FOUND, "not_found");
        }
        assert_eq!(page.get("").await["title"], "Моя назва");
        // Administrators see the owner's title.
        assert_eq!(
            server.get_as(&admin, &page.path).await.json()["title"],
            "Моя назва"
        );
    });
}
