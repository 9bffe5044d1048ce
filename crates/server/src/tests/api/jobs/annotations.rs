//! Bookmarks and highlights in a transcript.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use uuid::Uuid;

use super::edits::support::{Page, set_text};
use crate::testing::{Answer, Backend, TestUser, apply, each_database, with_server};
use crate::tests::api::me::support::send_json;

fn highlight(id: Uuid, quote: &str) -> Value {
    json!({"id": id, "kind": "highlight", "colour": "blue", "version": 1, "segment": "0",
        "offset": 7, "quote": quote, "start": 2.0, "end": 4.0, "note": " Перепитати \n"})
}

async fn annotate(page: &Page<'_>, all: Vec<Value>) -> Answer {
    page.post("/annotations", &json!({ "annotations": all }))
        .await
}

async fn send(page: &Page<'_>, who: &TestUser, method: Method, id: Uuid, body: &Value) -> Answer {
    let path = format!("{}/annotations/{id}", page.path);
    send_json(page.server, who, method, &path, body).await
}

async fn list(page: &Page<'_>) -> Vec<Value> {
    page.get("/annotations").await.as_array().unwrap().clone()
}

#[apply(each_database!)]
fn repeated_requests_create_no_duplicate_annotations(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день.", "Вітаю."]).await;
        let other = Page::on(&server, &me, &["Добрий день."]).await;
        let id = Uuid::new_v4();
        for _ in 0..2 {
            let created = annotate(&page, vec![highlight(id, "день.")]).await;
            assert_eq!(created.status, StatusCode::CREATED, "{}", created.text());
            assert_eq!(created.json()[0]["note"], "Перепитати");
        }
        // A known id is not overwritten.
        let again = annotate(&page, vec![highlight(id, "Добрий")]).await;
        assert_eq!(again.json()[0]["quote"], "день.");
        // The same id can be used in another job.
        assert_eq!(list(&other).await, Vec::<Value>::new());
        annotate(&other, vec![highlight(id, "Добрий")]).await;
        assert_eq!(list(&other).await[0]["quote"], "Добрий");
        let all = list(&page).await;
        assert_eq!(all.len(), 1);
        let mut expected = highlight(id, "день.");
        expected["note"] = json!("Перепитати");
        expected["created_at"] = all[0]["created_at"].clone();
        expected["changed_at"] = all[0]["changed_at"].clone();
        assert_eq!(all[0], expected);
    });
}

#[apply(each_database!)]
fn annotations_can_be_changed_deleted_and_created_again(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let id = Uuid::new_v4();
        annotate(&page, vec![highlight(id, "день.")]).await;
        let green = json!({"colour": "green"});
        let changed = send(&page, &me, Method::PATCH, id, &green).await.json();
        assert_eq!(
            [&changed["colour"], &changed["note"]],
            ["green", "Перепитати"]
        );
        let empty = json!({"note": ""});
        let changed = send(&page, &me, Method::PATCH, id, &empty).await.json();
        assert_eq!([&changed["colour"], &changed["note"]], ["green", ""]);
        // It stays when the text is changed.
        page.edit(set_text("0", 0, "Доброго ранку.")).await;
        assert_eq!(list(&page).await[0]["quote"], "день.");
        let deleted = send(&page, &me, Method::DELETE, id, &Value::Null).await;
        assert_eq!(deleted.status, StatusCode::NO_CONTENT);
        assert_eq!(list(&page).await, Vec::<Value>::new());
        for method in [Method::DELETE, Method::PATCH] {
            let missing = send(&page, &me, method, id, &json!({})).await;
            missing.is_problem(StatusCode::NOT_FOUND, "not_found");
        }
        annotate(&page, vec![highlight(id, "день.")]).await;
        assert_eq!(list(&page).await.len(), 1);
    });
}

#[apply(each_database!)]
fn annotations_are_private_to_their_owner(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let id = Uuid::new_v4();
        annotate(&page, vec![highlight(id, "день.")]).await;
        let other = server.signup("b@example.com").await;
        let path = format!("{}/annotations", page.path);
        for who in [&other, &admin] {
            let read = server.get_as(who, &path).await;
            read.is_problem(StatusCode::NOT_FOUND, "not_found");
            let body = json!({"annotations": [highlight(Uuid::new_v4(), "день.")]});
            let created = server.post_as(who, &path, &body).await;
            created.is_problem(StatusCode::NOT_FOUND, "not_found");
            for method in [Method::PATCH, Method::DELETE] {
                let answer = send(&page, who, method, id, &json!({"note": "моє"})).await;
                answer.is_problem(StatusCode::NOT_FOUND, "not_found");
            }
        }
        let anonymous = server.get(&path).await;
        anonymous.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
        // Exports by an administrator do not include them.
        let export = format!("{}/export?format=txt&annotations=true", page.path);
        let file = server.get_as(&admin, &export).await;
        assert_eq!(file.status, StatusCode::OK, "{}", file.text());
        assert!(!file.text().contains("Перепитати"), "{}", file.text());
        let all = list(&page).await;
        assert_eq!(
            [&all[0]["note"], &json!(all.len())],
            [&json!("Перепитати"), &json!(1)]
        );
    });
}

#[apply(each_database!)]
fn one_invalid_annotation_refuses_the_complete_request(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let with = |name: &str, value: Value| {
            let mut annotation = highlight(Uuid::new_v4(), "день.");
            annotation[name] = value;
            annotation
        };
        let fine = || with("note", json!("</li><script>alert(1)</script>"));
        let cases = [
            ("segment", json!("")),
            ("offset", json!(20_001)),
            ("quote", json!(" \u{0} ")),
            ("quote", json!("ї".repeat(2001))),
            ("start", json!(-1.0)),
            ("end", json!(1e300)),
            ("note", json!("ї".repeat(2001))),
        ];
        for (field, value) in cases {
            let refused = annotate(&page, vec![fine(), with(field, value)]).await;
            refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
            let reported = refused.json()["errors"][0]["field"].clone();
            assert_eq!(reported, format!("annotations.1.{field}"));
        }
        for (field, value) in [
            ("id", json!("1")),
            ("kind", json!("x")),
            ("colour", json!(7)),
        ] {
            let refused = annotate(&page, vec![with(field, value)]).await;
            assert!(refused.status.is_client_error(), "{field}");
        }
        for count in [0, 51] {
            let refused = annotate(&page, (0..count).map(|_| fine()).collect()).await;
            refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        }
        assert_eq!(list(&page).await, Vec::<Value>::new());
        // At most 500; existing ones do not count as new.
        let first = fine();
        for _ in 0..10 {
            let some = std::iter::once(first.clone()).chain((0..49).map(|_| fine()));
            annotate(&page, some.collect()).await;
        }
        assert_eq!(list(&page).await.len(), 491);
        let too_many = annotate(&page, (0..10).map(|_| fine()).collect()).await;
        too_many.is_problem(StatusCode::CONFLICT, "too_many_annotations");
        assert_eq!(list(&page).await.len(), 491);
    });
}

#[apply(each_database!)]
fn exports_contain_annotations_on_request_and_shares_never(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день.", "Вітаю."]).await;
        annotate(&page, vec![highlight(Uuid::new_v4(), "день.")]).await;
        let file = async |format: &str, option: &str| {
            let path = format!("{}/export?format={format}{option}", page.path);
            let answer = server.get_as(&me, &path).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
            answer.text()
        };
        let list = "Закладки й нотатки\n\n[00:00:02] S1: день.\n    Перепитати\n";
        let txt = file("txt", "&annotations=true").await;
        assert!(txt.ends_with(list), "{txt}");
        for option in ["", "&annotations=false"] {
            assert!(
                !file("txt", option).await.contains("Перепитати"),
                "{option}"
            );
        }
        let srt = file("srt", "&annotations=true").await;
        assert!(!srt.contains("Перепитати"), "{srt}");
        let json: Value = serde_json::from_str(&file("json", "&annotations=true").await).unwrap();
        assert_eq!(json["annotations"][0]["quote"], "день.");

        let share = page
            .post("/shares", &json!({"expires_at": null, "with_media": false}))
            .await;
        assert_eq!(share.status, StatusCode::CREATED, "{}", share.text());
        let url = share.json()["url"].as_str().unwrap().to_owned();
        let token = url.rsplit('/').next().unwrap();
        let shared = server.get(&format!("/api/v1/shared/{token}")).await;
        assert_eq!(shared.status, StatusCode::OK, "{}", shared.text());
        assert!(!shared.text().contains("Перепитати"), "{}", shared.text());
    });
}
