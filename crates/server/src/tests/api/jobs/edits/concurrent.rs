//! Concurrent edits by two people or two clients.

use axum::http::StatusCode;
use futures_util::future::join_all;
use serde_json::json;
use uuid::Uuid;

use super::support::{Page, content, edit, segment, set_text};
use crate::testing::{Backend, apply, each_database, with_server};

#[apply(each_database!)]
fn edits_of_the_same_segment_conflict_and_of_others_do_not(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["раз", "два", "три"]).await;
        let other = page.beside();
        page.edit(set_text("0", 0, "перший")).await;
        other.edit(set_text("1", 0, "другий")).await;
        assert_eq!(page.texts().await, ["перший", "другий", "три"]);

        let before = page.open().await;
        let late = other
            .send(vec![
                edit(set_text("2", 0, "не буде")),
                edit(set_text("0", 0, "інший")),
            ])
            .await;
        late.is_problem(StatusCode::CONFLICT, "edit_conflict");
        let conflicts = late.json()["conflicts"].clone();
        assert_eq!(conflicts.as_array().unwrap().len(), 1);
        assert_eq!(conflicts[0]["segment"]["text"], "перший");
        assert_eq!(conflicts[0]["segment"]["revision"], 1);
        assert_eq!(page.open().await, before, "all or nothing");

        page.edit(json!({"kind": "merge", "segment": segment("0", 1), "next": segment("1", 1)}))
            .await;
        let merged = other.send(vec![edit(set_text("1", 1, "другий!"))]).await;
        merged.is_problem(StatusCode::CONFLICT, "edit_conflict");
        assert_eq!(
            merged.json()["conflicts"],
            json!([{"id": "1", "segment": null}])
        );
        let unknown = other.send(vec![edit(set_text("77", 0, "нема"))]).await;
        assert_eq!(
            unknown.json()["conflicts"],
            json!([{"id": "77", "segment": null}])
        );
    });
}

#[apply(each_database!)]
fn repeated_requests_are_applied_once(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["раз", "два"]).await;
        let first = edit(set_text("0", 0, "перший"));
        let answer = page.send(vec![first.clone()]).await.json();
        page.beside().edit(set_text("0", 1, "найперший")).await;
        let again = page.send(vec![first.clone()]).await.json();
        assert_eq!(again, answer, "it answers as before");
        // A request with a stored and a new edit.
        let second = edit(set_text("1", 0, "другий"));
        let both = page.send(vec![first, second]).await;
        assert_eq!(both.json()["seq"], 3, "{}", both.text());
        assert_eq!(page.texts().await, ["найперший", "другий"]);

        let undo = json!({"version": 1, "client": page.client, "edit_id": Uuid::new_v4()});
        let undone = page.post("/edits/undo", &undo).await.json();
        assert_eq!(page.post("/edits/undo", &undo).await.json(), undone);
        assert_eq!(page.texts().await, ["найперший", "два"]);
        let list = page.get("/edits?version=1").await;
        assert_eq!(list["edits"].as_array().unwrap().len(), 4);
    });
}

#[apply(each_database!)]
fn concurrent_edits_lose_nothing_and_have_unique_numbers(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let texts: Vec<String> = (0..12).map(|number| format!("слово {number}")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let page = Page::on(&server, &me, &texts).await;
        let pages: Vec<Page<'_>> = (0..12).map(|_| page.beside()).collect();
        let edits = pages.iter().enumerate().map(|(number, page)| {
            let op = set_text(&number.to_string(), 0, &format!("нове {number}"));
            async move { page.edit(op).await["seq"].as_u64().unwrap() }
        });
        let mut numbers = join_all(edits).await;
        numbers.sort_unstable();
        assert_eq!(numbers, (1..=12).collect::<Vec<u64>>());
        // Of several edits of the same segment, one succeeds.
        let edits = pages.iter().map(|page| {
            let op = set_text("0", 1, &page.client.to_string());
            page.send(vec![edit(op)])
        });
        let answers = join_all(edits).await;
        let accepted: Vec<_> = answers
            .iter()
            .filter(|answer| answer.status == StatusCode::OK)
            .collect();
        assert_eq!(accepted.len(), 1);
        for refused in answers.iter().filter(|a| a.status != StatusCode::OK) {
            refused.is_problem(StatusCode::CONFLICT, "edit_conflict");
        }
        let winner = accepted[0].json()["changes"][0]["segment"]["text"].clone();
        let now = page.open().await;
        assert_eq!(now["segments"][0]["text"], winner);
        assert_eq!(now["seq"], 13);
        let before = page.get("/transcript?at=12&times=all").await;
        assert_ne!(content(&now), content(&before));
    });
}
