//! Undo and redo with several clients.

use axum::http::StatusCode;
use serde_json::json;

use super::support::{Page, set_text};
use crate::testing::{Backend, apply, each_database, with_server};

#[apply(each_database!)]
fn each_client_undoes_its_own_edits(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["раз", "два", "три"]).await;
        let other = page.beside();
        page.edit(set_text("0", 0, "А")).await;
        other.edit(set_text("1", 0, "Б")).await;
        page.edit(set_text("2", 0, "В")).await;
        for expected in [["А", "Б", "три"], ["раз", "Б", "три"]] {
            page.step("undo").await;
            assert_eq!(page.texts().await, expected);
        }
        page.step("undo")
            .await
            .is_problem(StatusCode::CONFLICT, "nothing_to_undo");
        for expected in [["А", "Б", "три"], ["А", "Б", "В"]] {
            page.step("redo").await;
            assert_eq!(page.texts().await, expected);
        }
        // A new edit clears the redo stack; earlier edits can still be undone.
        page.step("undo").await;
        page.edit(set_text("2", 4, "Г")).await;
        page.step("redo")
            .await
            .is_problem(StatusCode::CONFLICT, "nothing_to_redo");
        page.step("undo").await;
        page.step("redo").await;
        assert_eq!(page.texts().await, ["А", "Б", "Г"]);
        for _ in 0..2 {
            page.step("undo").await;
        }
        assert_eq!(page.texts().await, ["раз", "Б", "три"]);
        assert_eq!(other.open().await["can_undo"], true);
        assert_eq!(other.open().await["can_redo"], false);
    });
}

#[apply(each_database!)]
fn undo_and_redo_conflict_with_later_edits_of_other_clients(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["раз", "два"]).await;
        let other = page.beside();
        page.edit(set_text("0", 0, "мій")).await;
        other.edit(set_text("0", 1, "твій")).await;
        let refused = page.step("undo").await;
        refused.is_problem(StatusCode::CONFLICT, "edit_conflict");
        assert_eq!(refused.json()["conflicts"][0]["segment"]["text"], "твій");
        other.step("undo").await;
        assert_eq!(page.step("undo").await.status, StatusCode::OK);
        assert_eq!(page.texts().await, ["раз", "два"]);
        other.edit(set_text("0", 4, "ще інший")).await;
        let refused = page.step("redo").await;
        refused.is_problem(StatusCode::CONFLICT, "edit_conflict");
        other.step("undo").await;
        assert_eq!(page.step("redo").await.status, StatusCode::OK);
        assert_eq!(page.texts().await, ["мій", "два"]);
    });
}

#[apply(each_database!)]
fn speakers_are_never_merged_in_a_circle(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["раз", "два"]).await;
        let other = page.beside();
        let merge = |from: &str, into: &str| {
            let (from, into) = (format!("SPEAKER_{from}"), format!("SPEAKER_{into}"));
            json!({"kind": "merge_speakers", "from": from, "into": into})
        };
        page.edit(merge("0", "1")).await;
        page.step("undo").await;
        other.edit(merge("1", "0")).await;
        page.step("redo")
            .await
            .is_problem(StatusCode::CONFLICT, "edit_conflict");
        let now = page.open().await;
        assert_eq!(now["speakers"], json!([{"id": "SPEAKER_0", "name": null}]));
        let rename =
            |name: &str| json!({"kind": "rename_speaker", "speaker": "SPEAKER_0", "name": name});
        page.edit(rename("Оля")).await;
        other.edit(rename("Ольга")).await;
        page.step("undo")
            .await
            .is_problem(StatusCode::CONFLICT, "edit_conflict");
        other.step("undo").await;
        page.step("undo").await;
        assert_eq!(page.open().await["speakers"][0]["name"], json!(null));
    });
}
