//! Invalid edits, and accounts that may not edit.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use uuid::Uuid;

use super::support::{Page, edit, segment, set_text};
use crate::testing::{Backend, apply, each_database, with_server};
use crate::tests::api::jobs::support::send;

#[apply(each_database!)]
fn invalid_requests_are_refused_and_change_nothing(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["раз два", "три"]).await;
        let client = page.client;
        let many: Vec<Value> = (0..101).map(|_| edit(set_text("0", 0, "я"))).collect();
        let long = "я".repeat(20_001);
        let body = |op: Value| json!({"version": 1, "client": client, "edits": [edit(op)]});
        let bodies = [
            json!({}),
            json!([]),
            json!({"version": 1, "client": client, "edits": []}),
            json!({"version": 1, "client": "x", "edits": [edit(set_text("0", 0, "я"))]}),
            json!({"version": -1, "client": client, "edits": [edit(set_text("0", 0, "я"))]}),
            json!({"version": 1, "client": client, "edits": many}),
            json!({"version": 1, "client": client,
                "edits": [{"edit_id": "x", "op": set_text("0", 0, "я")}]}),
            body(set_text("0", 0, "")),
            body(set_text("0", 0, " \u{202e}\u{0} ")),
            body(set_text("0", 0, &long)),
            body(set_text("'; DROP TABLE synced_jobs; --", 0, "я")),
            body(set_text("00", 0, "я")),
            body(json!({"kind": "set_text", "segment": segment("0", 0)})),
            body(json!({"kind": "drop"})),
            body(json!({"kind": "split", "segment": segment("0", 0), "at": 0,
                "new_segment": Uuid::new_v4()})),
            body(
                json!({"kind": "split", "segment": segment("0", 0), "at": 4_000_000_000_u32,
                "new_segment": Uuid::new_v4()}),
            ),
            body(json!({"kind": "split", "segment": segment("0", 0), "at": 3,
                "new_segment": "1"})),
            body(json!({"kind": "merge", "segment": segment("0", 0), "next": segment("0", 0)})),
            body(json!({"kind": "set_speaker", "segments": [], "speaker": null})),
            body(json!({"kind": "set_speaker", "segments": [segment("0", 0)],
                "speaker": "SPEAKER_7"})),
            body(json!({"kind": "rename_speaker", "speaker": "SPEAKER_9", "name": "я"})),
            body(json!({"kind": "rename_speaker", "speaker": "SPEAKER_0",
                "name": "я".repeat(81)})),
            body(json!({"kind": "merge_speakers", "from": "SPEAKER_0", "into": "SPEAKER_0"})),
        ];
        for body in bodies {
            let answer = page.post("/edits", &body).await;
            let text = body.to_string().chars().take(200).collect::<String>();
            assert_eq!(
                answer.status,
                StatusCode::UNPROCESSABLE_ENTITY,
                "{text}: {}",
                answer.text()
            );
            assert!(!answer.code().is_empty());
        }
        let other_run = json!({"version": 2, "client": client,
            "edits": [edit(set_text("0", 0, "я"))]});
        page.post("/edits", &other_run)
            .await
            .is_problem(StatusCode::CONFLICT, "transcript_not_ready");
        for mark in [
            json!({"version": 1, "name": "  "}),
            json!({"version": 1, "name": "я".repeat(81)}),
        ] {
            let answer = page.post("/marks", &mark).await;
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        }
        let rerun = json!({"settings": {"transcription_type": "lite", "language_code": "uk"}});
        let answer = page.post("/rerun", &rerun).await;
        answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        let now = page.open().await;
        assert_eq!(
            (&now["seq"], &now["segments"][0]["text"]),
            (&json!(0), &json!("раз два"))
        );
    });
}

#[apply(each_database!)]
fn only_the_owner_can_edit_and_administrators_can_read(backend: Backend) {
    with_server(backend, async |server| {
        // The first account is an administrator.
        let administrator = server.signup("admin@example.com").await;
        let owner = server.signup("owner@example.com").await;
        let page = Page::on(&server, &owner, &["таємниця"]).await;
        let stranger = server.signup("stranger@example.com").await;
        let body = json!({"version": 1, "client": Uuid::new_v4(),
            "edits": [edit(set_text("0", 0, "злам"))]});
        let step = json!({"version": 1, "client": page.client, "edit_id": Uuid::new_v4()});
        let restore = json!({"version": 1, "at": 0, "client": page.client,
            "edit_id": Uuid::new_v4()});
        for who in [&administrator, &stranger] {
            for (action, body) in [
                ("/edits", &body),
                ("/edits/undo", &step),
                ("/edits/redo", &step),
                ("/restore", &restore),
                ("/marks", &json!({"version": 1, "name": "моє"})),
                ("/rerun", &json!({"settings": {}})),
                ("/resync", &json!({})),
            ] {
                let path = format!("{}{action}", page.path);
                let answer = server.post_as(who, &path, body).await;
                answer.is_problem(StatusCode::NOT_FOUND, "not_found");
            }
            for action in ["/edits?version=1", "/history", "/edits/events?version=1"] {
                let path = format!("{}{action}", page.path);
                let answer = send(&server, who, Method::GET, &path).await;
                answer.is_problem(StatusCode::NOT_FOUND, "not_found");
            }
        }
        for action in ["", "/transcript", "/debug"] {
            let path = format!("{}{action}", page.path);
            let read = server.get_as(&administrator, &path).await;
            assert_eq!(read.status, StatusCode::OK, "{action}");
            let refused = server.get_as(&stranger, &path).await;
            refused.is_problem(StatusCode::NOT_FOUND, "not_found");
        }
        let debug = format!("{}/debug", page.path);
        let refused = server.get_as(&owner, &debug).await;
        refused.is_problem(StatusCode::NOT_FOUND, "not_found");
        assert_eq!(page.texts().await, ["таємниця"]);
    });
}
