//! The bin of a text: removed lines, which can be put back by any client.

use axum::http::StatusCode;
use serde_json::{Value, json};
use uuid::Uuid;

use super::support::{Page, content, edit, segment, set_text};
use crate::testing::{Backend, apply, each_database, with_server};

fn remove(id: &str, revision: u32) -> Value {
    json!({"kind": "remove", "segments": [segment(id, revision)]})
}

fn put_back(id: &str) -> Value {
    json!({"kind": "put_back", "segments": [segment(id, 0)]})
}

async fn lines(page: &Page<'_>) -> Vec<String> {
    let bin = page.get("/bin").await;
    let lines = bin["lines"].as_array().unwrap().iter();
    lines
        .map(|line| line["text"].as_str().unwrap().to_owned())
        .collect()
}

#[apply(each_database!)]
fn a_removed_line_stays_in_the_bin_and_can_be_put_back(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["раз", "два", "три"]).await;
        assert_eq!(page.get("/bin").await["lines"], json!([]));
        page.edit(set_text("1", 0, "два з половиною")).await;
        let before = page.open().await;
        page.edit(remove("1", 1)).await;
        assert_eq!(page.texts().await, ["раз", "три"]);
        let bin = page.get("/bin").await;
        assert_eq!(bin["version"], 1);
        assert_eq!(
            bin["lines"],
            json!([{"id": "1", "revision": 2, "start": 4.0, "end": 8.0,
                "speaker": "SPEAKER_1", "language": "uk", "text": "два з половиною"}])
        );

        // Another client, after edits: the lines around it were merged.
        let other = page.beside();
        other
            .edit(json!({"kind": "merge", "segment": segment("0", 0), "next": segment("2", 0)}))
            .await;
        assert_eq!(
            lines(&other).await,
            ["два з половиною"],
            "no merged line is in it"
        );
        other.step("undo").await;
        other.edit(put_back("1")).await;
        assert_eq!(content(&other.open().await), content(&before));
        assert_eq!(lines(&page).await, Vec::<String>::new());
        // Putting it back again changes nothing.
        let again = page.edit(put_back("1")).await;
        assert_eq!(again["changes"], json!([]));
        assert_eq!(content(&page.open().await), content(&before));
    });
}

#[apply(each_database!)]
fn undo_and_redo_never_duplicate_a_removed_line(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["раз", "два", "три"]).await;
        let other = page.beside();
        page.edit(remove("1", 0)).await;
        for _ in 0..5 {
            assert_eq!(page.step("undo").await.status, StatusCode::OK);
            assert_eq!(page.texts().await, ["раз", "два", "три"]);
            assert_eq!(lines(&page).await, Vec::<String>::new());
            assert_eq!(page.step("redo").await.status, StatusCode::OK);
            assert_eq!(page.texts().await, ["раз", "три"]);
            assert_eq!(lines(&page).await, ["два"]);
        }
        // Another client was faster: its change is not undone.
        other.edit(put_back("1")).await;
        let undone = page.step("undo").await;
        undone.is_problem(StatusCode::CONFLICT, "edit_conflict");
        assert_eq!(other.texts().await, ["раз", "два", "три"]);
        other.step("undo").await;
        assert_eq!(lines(&page).await, ["два"], "an undo takes it there again");
        assert_eq!(page.step("undo").await.status, StatusCode::OK);
        assert_eq!(page.texts().await, ["раз", "два", "три"]);
    });
}

#[apply(each_database!)]
fn only_lines_in_the_bin_are_put_back_and_only_the_owner_sees_them(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["раз", "два", "три"]).await;
        page.edit(json!({"kind": "merge", "segment": segment("0", 0), "next": segment("1", 0)}))
            .await;
        for id in ["1", "9", &Uuid::new_v4().to_string()] {
            let refused = page.send(vec![edit(put_back(id))]).await;
            assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{id}");
        }
        assert_eq!(page.texts().await, ["раз два", "три"]);
        // An outdated revision cannot be removed.
        let refused = page.send(vec![edit(remove("0", 0))]).await;
        refused.is_problem(StatusCode::CONFLICT, "edit_conflict");
        let stranger = server.signup("b@example.com").await;
        let path = format!("{}/bin", page.path);
        let refused = server.get_as(&stranger, &path).await;
        refused.is_problem(StatusCode::NOT_FOUND, "not_found");
        let missing = server.get_as(&me, &format!("{path}?version=7")).await;
        missing.is_problem(StatusCode::CONFLICT, "transcript_not_ready");
    });
}
