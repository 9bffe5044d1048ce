//! Passages that the engine removed: listed for the owner, restored by an edit, and undone.

use axum::http::StatusCode;
use serde_json::{Value, json};
use slovo_rules::removed::{Removed, RemovedReason, segment_id};

use super::support::{Page, complete, content, set_text, talk, texts};
use crate::testing::{Backend, TestServer, TestUser, apply, each_database, with_server};
use crate::tests::api::me::support::job;

fn passage(start: f64, text: &str) -> Removed {
    Removed {
        start,
        end: start + 0.5,
        speaker: None,
        text: text.to_owned(),
        reason: RemovedReason::PhantomPhrase,
        voiced: 0.1,
        confidence: 0.25,
        compression: 0.7,
    }
}

/// A text of two segments of four seconds each, from which three passages were removed.
async fn page<'a>(server: &'a TestServer, who: &'a TestUser) -> Page<'a> {
    let id = job(server, who, "розмова.wav", b"recording").await;
    let mut transcript = talk(&["один два", "три чотири"]);
    // The first segment starts after the first passage.
    transcript.segments[0].start = 1.0;
    transcript.removed = vec![
        passage(0.2, "Дякую."),
        passage(5.0, "Дякую за перегляд!"),
        passage(50.0, "[Музика]"),
    ];
    complete(server, &transcript).await;
    Page {
        server,
        who,
        path: format!("/api/v1/jobs/{id}"),
        job: id,
        client: uuid::Uuid::new_v4(),
    }
}

fn bring_back(passage: u32) -> Value {
    json!({"kind": "bring_back", "passage": passage})
}

#[apply(each_database!)]
fn removed_passages_are_listed_with_reason_and_evidence(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = page(&server, &me).await;
        let removed = page.get("/removed").await;
        assert_eq!(removed["version"], 1);
        assert_eq!(
            removed["passages"][1],
            json!({
                "number": 1, "segment": segment_id(1), "start": 5.0, "end": 5.5,
                "text": "Дякую за перегляд!", "reason": "phantom_phrase",
                "voiced": 0.1, "confidence": 0.25, "compression": 0.7,
            })
        );
        assert_eq!(removed["passages"].as_array().unwrap().len(), 3);
        let unchanged = Page::on(&server, &me, &["один"]).await;
        assert_eq!(unchanged.get("/removed").await["passages"], json!([]));
        let missing = format!("{}/removed?version=7", page.path);
        server
            .get_as(&me, &missing)
            .await
            .is_problem(StatusCode::CONFLICT, "transcript_not_ready");

        let stranger = server.signup("b@example.com").await;
        let refused = server
            .get_as(&stranger, &format!("{}/removed", page.path))
            .await;
        refused.is_problem(StatusCode::NOT_FOUND, "not_found");
        let file = page.get("/export?format=json").await;
        assert_eq!(file["removed"][0]["reason"], "phantom_phrase");
        let transcript = page.open().await;
        assert_eq!(
            transcript["removed"],
            Value::Null,
            "it has an action of its own"
        );
    });
}

#[apply(each_database!)]
fn a_restored_passage_is_at_its_time_and_can_be_undone_and_redone(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = page(&server, &me).await;
        let before = page.open().await;
        for number in [2, 0, 1] {
            page.edit(bring_back(number)).await;
        }
        let all = page.open().await;
        assert_eq!(
            texts(&all),
            [
                "Дякую.",
                "один два",
                "три чотири",
                "Дякую за перегляд!",
                "[Музика]"
            ]
        );
        let first = &all["segments"][0];
        assert_eq!(first["id"], segment_id(0));
        assert_eq!((&first["start"], &first["end"]), (&json!(0.2), &json!(0.7)));
        assert_eq!(first["words"][0]["confidence"], 0.25);
        assert_eq!(first["speaker"], Value::Null);
        assert!(first["place"]["part"].as_i64().unwrap() < 0);

        for remaining in [4, 3, 2] {
            assert_eq!(page.step("undo").await.status, StatusCode::OK);
            assert_eq!(page.texts().await.len(), remaining);
        }
        assert_eq!(content(&page.open().await), content(&before));
        for _ in 0..3 {
            assert_eq!(page.step("redo").await.status, StatusCode::OK);
        }
        assert_eq!(content(&page.open().await), content(&all));
        // The passage is still listed, with the id of the restored segment.
        assert_eq!(
            page.get("/removed").await["passages"][0]["segment"],
            segment_id(0)
        );
    });
}

#[apply(each_database!)]
fn a_passage_restored_by_two_clients_exists_once_and_is_editable(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = page(&server, &me).await;
        let other = page.beside();
        page.edit(bring_back(1)).await;
        let again = other.edit(bring_back(1)).await;
        assert_eq!(again["changes"], json!([]));
        assert_eq!(page.texts().await.len(), 3);
        page.edit(set_text(&segment_id(1), 1, "Дякую вам!")).await;
        assert_eq!(page.texts().await[2], "Дякую вам!");
        page.step("undo").await;
        page.step("undo").await;
        assert_eq!(page.texts().await.len(), 2);
        // Restored again after an undo, it has the engine's text.
        page.edit(bring_back(1)).await;
        assert_eq!(page.texts().await[2], "Дякую за перегляд!");

        let unknown = page.send(vec![super::support::edit(bring_back(3))]).await;
        assert_eq!(
            unknown.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{}",
            unknown.text()
        );
        assert!(
            unknown.text().contains("edits.0.op.passage"),
            "{}",
            unknown.text()
        );
    });
}

#[apply(each_database!)]
fn passages_are_restored_in_order_into_an_empty_text(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let id = job(&server, &me, "тиша.wav", b"recording").await;
        let mut transcript = talk(&[]);
        transcript.removed = vec![passage(1.0, "а"), passage(2.0, "б"), passage(3.0, "в")];
        complete(&server, &transcript).await;
        let page = Page {
            server: &server,
            who: &me,
            path: format!("/api/v1/jobs/{id}"),
            job: id,
            client: uuid::Uuid::new_v4(),
        };
        for number in [1, 0, 2] {
            page.edit(bring_back(number)).await;
        }
        assert_eq!(page.texts().await, ["а", "б", "в"]);
    });
}
