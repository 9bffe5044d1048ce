//! Earlier states, named versions, and several runs.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use uuid::Uuid;

use super::support::{Page, complete, content, segment, set_text, talk, texts};
use crate::testing::{Backend, apply, each_database, with_server};
use crate::tests::api::jobs::support::send;

/// Makes three edits: a text, a split and a name.
async fn make_edits(page: &Page<'_>) {
    page.edit(set_text("0", 0, "перший другий")).await;
    page.server.clock.advance_seconds(200);
    let at = "перший ".chars().count();
    page.edit(
        json!({"kind": "split", "segment": segment("0", 1), "at": at,
        "new_segment": Uuid::new_v4()}),
    )
    .await;
    page.server.clock.advance_seconds(601);
    page.edit(json!({"kind": "rename_speaker", "speaker": "SPEAKER_0", "name": "Леся"}))
        .await;
}

#[apply(each_database!)]
fn an_earlier_state_is_named_compared_and_restored(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["раз два", "три"]).await;
        let mark = json!({"version": 1, "name": " Як   розпізнано "});
        let mark = page.post("/marks", &mark).await;
        assert_eq!(mark.status, StatusCode::CREATED, "{}", mark.text());
        let mark = mark.json();
        assert_eq!(
            (&mark["name"], &mark["seq"]),
            (&json!("Як розпізнано"), &json!(0))
        );
        make_edits(&page).await;

        let history = page.get("/history").await;
        assert_eq!(history["shown"], 1);
        assert_eq!(history["runs"][0]["seq"], 3);
        assert_eq!(history["runs"][0]["settings"]["transcription_type"], "full");
        assert_eq!(history["marks"], json!([mark]));
        let sessions: Vec<_> = history["sessions"].as_array().unwrap().clone();
        let spans: Vec<_> = sessions
            .iter()
            .map(|s| {
                (
                    s["from_seq"].as_u64(),
                    s["to_seq"].as_u64(),
                    s["edits"].as_u64(),
                )
            })
            .collect();
        assert_eq!(
            spans,
            [(Some(1), Some(2), Some(2)), (Some(3), Some(3), Some(1))]
        );
        // An account without a name is shown by its address.
        assert_eq!(sessions[0]["author_name"], "a");
        assert_eq!(
            (&sessions[0]["by_me"], &mark["by_me"]),
            (&json!(true), &json!(true))
        );

        let diff = page
            .get("/diff?from_version=1&from_at=0&to_version=1")
            .await;
        assert_eq!(
            (&diff["added_words"], &diff["removed_words"]),
            (&json!(2), &json!(2))
        );
        assert_eq!(diff["rows"][0]["kind"], "changed");
        assert_eq!(diff["rows"][1]["kind"], "added");
        assert_eq!(diff["rows"][0]["speaker_before"], "S1");
        assert_eq!(diff["rows"][0]["speaker_after"], "Леся");

        let newest = page.open().await;
        let restore = json!({"version": 1, "at": 0, "client": page.client,
            "edit_id": Uuid::new_v4()});
        let restored = page.post("/restore", &restore).await;
        assert_eq!(restored.status, StatusCode::OK, "{}", restored.text());
        let first = page.get("/transcript?version=1&at=0&times=all").await;
        assert_eq!(content(&restored.json()), content(&first));
        assert_eq!(restored.json()["can_undo"], true);
        // A repeated request gets the same answer; the restoration can be undone like any edit.
        assert_eq!(
            page.post("/restore", &restore).await.json(),
            restored.json()
        );
        assert_eq!(page.step("undo").await.status, StatusCode::OK);
        assert_eq!(content(&page.open().await), content(&newest));
        let kinds = page.get("/edits?version=1&since=3").await;
        let kinds: Vec<_> = kinds["edits"].as_array().unwrap().clone();
        let kinds: Vec<_> = kinds.iter().map(|edit| edit["kind"].clone()).collect();
        assert_eq!(kinds, ["restore", "undo"]);

        let mark_path = format!("{}/marks/{}", page.path, mark["id"].as_str().unwrap());
        let removed = send(&server, &me, Method::DELETE, &mark_path).await;
        assert_eq!(removed.status, StatusCode::NO_CONTENT);
        let again = send(&server, &me, Method::DELETE, &mark_path).await;
        again.is_problem(StatusCode::NOT_FOUND, "not_found");
    });
}

#[apply(each_database!)]
fn a_rerun_with_other_settings_keeps_the_old_run(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["раз два", "три"]).await;
        make_edits(&page).await;
        let old = page.open().await;
        let body = json!({"settings": {"transcription_type": "lite", "language_code": "en"}});
        let rerun = page.post("/rerun", &body).await;
        assert_eq!(rerun.status, StatusCode::OK, "{}", rerun.text());
        let rerun = rerun.json();
        assert_eq!(
            (&rerun["status"], &rerun["versions"]),
            (&json!("pending"), &json!(1))
        );
        assert_eq!(rerun["has_output"], true);
        assert_eq!(rerun["settings"]["language_code"], "en");
        page.post("/rerun", &body)
            .await
            .is_problem(StatusCode::CONFLICT, "job_under_way");
        assert_eq!(page.open().await, old, "readable and editable meanwhile");
        page.edit(set_text("1", 0, "третій")).await;

        complete(&server, &talk(&["one two", "three"])).await;
        let new = page.open().await;
        assert_eq!((&new["version"], &new["seq"]), (&json!(2), &json!(0)));
        assert_eq!(texts(&new), ["one two", "three"]);
        let job = page.get("").await;
        assert_eq!(
            (&job["versions"], &job["status"]),
            (&json!(2), &json!("completed"))
        );
        let first = page.get("/transcript?version=1").await;
        assert_eq!(first["newest"], false);
        assert_eq!(texts(&first)[2], "третій");
        let runs = page.get("/history").await["runs"].clone();
        assert_eq!(runs[0]["settings"]["transcription_type"], "full");
        assert_eq!(runs[1]["settings"]["transcription_type"], "lite");
        let diff = page.get("/diff?from_version=1&to_version=2").await;
        assert_eq!(diff["added_words"], 3);

        let restore = json!({"version": 1, "at": null, "client": page.client,
            "edit_id": Uuid::new_v4()});
        let restored = page.post("/restore", &restore).await.json();
        assert_eq!(
            (&restored["version"], &restored["newest"]),
            (&json!(1), &json!(true))
        );
        assert_eq!(page.open().await["version"], 1);
        // Exports use the shown run, too.
        let file = format!("{}/export?format=txt", page.path);
        assert!(server.get_as(&me, &file).await.text().contains("третій"));
        let missing = json!({"version": 7, "at": 1, "client": page.client,
            "edit_id": Uuid::new_v4()});
        page.post("/restore", &missing)
            .await
            .is_problem(StatusCode::CONFLICT, "transcript_not_ready");
    });
}

#[apply(each_database!)]
fn a_missing_text_is_recognised_again_and_keeps_its_edits(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["раз два", "три"]).await;
        make_edits(&page).await;
        let before = page.open().await;
        let resync = async || page.post("/resync", &Value::Null).await.json();
        let found = json!({"success": true, "message": "output_found", "error": null});
        assert_eq!(resync().await, found);
        let debug = page.get("/debug").await;
        assert_eq!(
            (&debug["output_found"], &debug["edits"]),
            (&json!(true), &json!(3))
        );
        assert_eq!(debug["segment_count"], 2);

        let mut transaction = server.state.db.write().await.unwrap();
        for table in ["synced_output", "synced_segments"] {
            slovo_db::testing::execute(&mut transaction, &format!("DELETE FROM {table}")).await;
        }
        transaction.commit().await.unwrap();
        assert_eq!(page.get("").await["has_output"], false);
        assert_eq!(page.get("/debug").await["output_found"], false);
        let queued = json!({"success": true, "message": "queued", "error": null});
        assert_eq!(resync().await, queued);
        let waiting = json!({"success": false, "message": null, "error": "job_not_completed"});
        assert_eq!(resync().await, waiting);
        complete(&server, &talk(&["раз два", "три"])).await;
        assert_eq!(page.open().await, before);
    });
}
