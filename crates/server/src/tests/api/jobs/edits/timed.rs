//! Times of lines, inserted lines, and manual subtitles.

use axum::http::StatusCode;
use serde_json::{Value, json};
use slovo_db::texts::search;
use uuid::Uuid;

use super::support::{Page, content, edit, segment, set_text};
use crate::testing::{Answer, Backend, apply, each_database, with_server};

/// Lines of four seconds each: 0 to 4, 4 to 8, 8 to 12.
const TEXTS: [&str; 3] = ["один два три", "чотири п’ять", "шість"];

fn set_times(id: &str, revision: u32, start: f64, end: f64) -> Value {
    json!({"kind": "set_times",
        "times": [{"segment": segment(id, revision), "start": start, "end": end}]})
}

fn cue(at: u32, start: f64, end: f64) -> Value {
    json!({"at": at, "start": start, "end": end, "breaks": []})
}

fn set_cues(id: &str, revision: u32, cues: Value) -> Value {
    let mut op = json!({"kind": "set_cues", "segment": segment(id, revision)});
    op["cues"] = cues;
    op
}

fn insert(after: Value, start: f64, end: f64) -> Value {
    let mut op = json!({"kind": "insert", "new_segment": Uuid::new_v4(), "start": start,
        "end": end, "text": " пропущене ", "speaker": null});
    op["after"] = after;
    op
}

/// Field and code of the first violation.
fn first_error(answer: &Answer) -> (String, String) {
    answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
    let error = answer.json()["errors"][0].clone();
    let part = |name: &str| error[name].as_str().unwrap().to_owned();
    (part("field"), part("code"))
}

#[apply(each_database!)]
fn moving_a_line_moves_its_words_and_subtitles(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &TEXTS).await;
        let cues = json!([cue(0, 4.0, 6.0), cue(7, 6.0, 9.0)]);
        page.edit(set_cues("1", 0, cues)).await;
        let answer = page.edit(set_times("1", 1, 5.0, 7.0)).await;
        let now = answer["changes"][0]["segment"].clone();
        assert_eq!((&now["start"], &now["end"]), (&json!(5.0), &json!(7.0)));
        assert_eq!(now["words"][1]["start"], 6.0);
        // The subtitle that extends beyond the line moves with it.
        assert_eq!(now["cues"], json!([cue(0, 5.0, 6.0), cue(7, 6.0, 8.0)]));
        assert_eq!(page.open().await["segments"][1], now);
    });
}

#[apply(each_database!)]
fn lines_cannot_be_moved_past_others_or_out_of_the_recording(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &TEXTS).await;
        let start = "edits.0.op.times.0.start".to_owned();
        for (from, to) in [(8.5, 9.0), (0.0, 0.0)] {
            let answer = page.send(vec![edit(set_times("1", 0, from, to))]).await;
            let (field, code) = first_error(&answer);
            assert!(field.starts_with("edits.0.op.times.0."), "{field}");
            assert!(["line_out_of_order", "span_too_short"].contains(&code.as_str()));
        }
        let late = page.send(vec![edit(set_times("1", 0, 8.5, 9.0))]).await;
        assert_eq!(first_error(&late), (start, "line_out_of_order".to_owned()));
        let long = page.send(vec![edit(set_times("1", 0, 5.0, 60.5))]).await;
        let end = "edits.0.op.times.0.end".to_owned();
        assert_eq!(first_error(&long), (end, "number_too_large".to_owned()));
        // If both are moved in one edit, they keep their order.
        let both = json!({"kind": "set_times", "times": [
            {"segment": segment("1", 0), "start": 9.0, "end": 10.0},
            {"segment": segment("2", 0), "start": 10.0, "end": 60.0}]});
        page.edit(both).await;
        let old = page.send(vec![edit(set_times("1", 0, 9.0, 9.5))]).await;
        old.is_problem(StatusCode::CONFLICT, "edit_conflict");
        assert_eq!(page.texts().await, TEXTS);
    });
}

#[apply(each_database!)]
fn lines_can_be_inserted_between_their_neighbours(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &TEXTS).await;
        let sent = edit(insert(segment("0", 0), 2.0, 3.0));
        let answer = page.send(vec![sent.clone()]).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        assert_eq!(page.send(vec![sent.clone()]).await.json(), answer.json());
        page.edit(insert(Value::Null, 0.0, 0.5)).await;
        // A line can be inserted after one that was changed meanwhile.
        page.edit(set_text("2", 0, "інше")).await;
        page.edit(insert(segment("2", 0), 12.0, 14.5)).await;
        let texts = [
            "пропущене",
            "один два три",
            "пропущене",
            "чотири п’ять",
            "інше",
            "пропущене",
        ];
        assert_eq!(page.texts().await, texts);
        let now = page.open().await;
        let line = &now["segments"][2];
        assert_eq!(
            (&line["start"], &line["revision"]),
            (&json!(2.0), &json!(1))
        );
        assert_eq!(
            (&line["words"], &line["speaker"]),
            (&json!([]), &Value::Null)
        );

        let again = json!({"edit_id": Uuid::new_v4(), "op": sent["op"]});
        let reused = page.send(vec![again]).await;
        assert_eq!(first_error(&reused).0, "edits.0.op.new_segment");
        let early = page
            .send(vec![edit(insert(segment("1", 0), 3.0, 9.0))])
            .await;
        let start = "edits.0.op.start".to_owned();
        assert_eq!(first_error(&early), (start, "line_out_of_order".to_owned()));
        let unknown = page
            .send(vec![edit(insert(segment("77", 0), 3.0, 9.0))])
            .await;
        unknown.is_problem(StatusCode::CONFLICT, "edit_conflict");
        let removal = json!({"kind": "remove", "segments": [segment("1", 0)]});
        page.edit(removal).await;
        let after_removed = page
            .send(vec![edit(insert(segment("1", 1), 5.0, 6.0))])
            .await;
        after_removed.is_problem(StatusCode::CONFLICT, "edit_conflict");
        for _ in 0..5 {
            assert_eq!(page.step("undo").await.status, StatusCode::OK);
        }
        assert_eq!(page.texts().await, TEXTS);
    });
}

#[apply(each_database!)]
fn an_inserted_line_can_have_a_new_speaker(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &TEXTS).await;
        let mut op = insert(segment("0", 0), 2.0, 3.0);
        op["speaker"] = json!("SPEAKER_2");
        let answer = page.edit(op).await;
        assert_eq!(answer["speakers"][2]["id"], "SPEAKER_2");
        let edits = page.get("/edits?version=1").await;
        assert_eq!(edits["edits"][0]["kind"], "insert");
        assert_eq!(edits["edits"][0]["speakers"][2]["id"], "SPEAKER_2");
    });
}

#[apply(each_database!)]
fn manual_subtitles_survive_edits_the_bin_and_undo(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &TEXTS).await;
        let cues = json!([cue(0, 0.5, 1.5), cue(5, 2.0, 3.5)]);
        page.edit(set_cues("0", 0, cues.clone())).await;
        page.edit(set_text("0", 1, "Один, два три")).await;
        let cues_now = async || page.open().await["segments"][0]["cues"].clone();
        let moved = json!([cue(0, 0.5, 1.5), cue(6, 2.0, 3.5)]);
        assert_eq!(cues_now().await, moved);
        let before = page.open().await;
        page.edit(json!({"kind": "remove", "segments": [segment("0", 2)]}))
            .await;
        page.edit(json!({"kind": "put_back", "segments": [segment("0", 3)]}))
            .await;
        assert_eq!(content(&page.open().await), content(&before));
        page.edit(set_cues("0", 4, json!([]))).await;
        assert_eq!(cues_now().await, Value::Null, "by rule");
        page.step("undo").await;
        assert_eq!(cues_now().await, moved);
        let then = page.get("/transcript?version=1&at=1&times=all").await;
        assert_eq!(then["segments"][0]["cues"], cues);
        let diff = page
            .get("/diff?from_version=1&from_at=0&to_version=1&to_at=1")
            .await;
        assert_eq!(diff["rows"][0]["kind"], "changed");
        assert_eq!(diff["rows"][0]["subtitles_changed"], true);
        // Restoring a version restores its subtitles; an older version has none.
        let restore = |at: u32| json!({"version": 1, "at": at, "client": page.client, "edit_id": Uuid::new_v4()});
        page.post("/restore", &restore(0)).await;
        assert_eq!(cues_now().await, Value::Null);
        page.post("/restore", &restore(1)).await;
        assert_eq!(cues_now().await, cues);
    });
}

#[apply(each_database!)]
fn subtitles_of_many_lines_are_corrected_in_one_edit(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &TEXTS).await;
        let correct = |revision: u32| {
            json!({"kind": "correct_cues", "segments": [
                {"segment": segment("0", revision), "cues": [cue(0, 0.0, 3.0)]},
                {"segment": segment("2", 0), "cues": [cue(0, 8.0, 9.5)]}]})
        };
        let answer = page.edit(correct(0)).await;
        assert_eq!(answer["changes"].as_array().unwrap().len(), 2);
        let late = page.beside().send(vec![edit(correct(0))]).await;
        late.is_problem(StatusCode::CONFLICT, "edit_conflict");
        assert_eq!(page.step("undo").await.status, StatusCode::OK);
        let now = page.open().await;
        for at in [0, 2] {
            assert_eq!(now["segments"][at]["cues"], Value::Null);
        }
    });
}

#[apply(each_database!)]
fn a_correction_is_accepted_under_its_former_name(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &TEXTS).await;
        let op = json!({"kind": "mend_cues", "segments": [
            {"segment": segment("0", 0), "cues": [cue(0, 0.0, 3.0)]}]});
        page.edit(op).await;
        let edits = page.get("/edits?version=1").await;
        assert_eq!(edits["edits"][0]["kind"], "correct_cues");
    });
}

#[apply(each_database!)]
fn exports_contain_manual_subtitles(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &TEXTS).await;
        let cues = json!([
            {"at": 0, "start": 0.25, "end": 1.0, "breaks": []},
            {"at": 5, "start": 1.5, "end": 3.125, "breaks": [8]}]);
        page.edit(set_cues("0", 0, cues)).await;
        let path = format!("{}/export?format=srt", page.path);
        let file = server.get_as(&me, &path).await;
        assert_eq!(file.status, StatusCode::OK, "{}", file.text());
        let expected = "1\n00:00:00,250 --> 00:00:01,000\nS1: один\n\n\
            2\n00:00:01,500 --> 00:00:03,125\nдва\nтри\n\n3\n";
        assert!(file.text().starts_with(expected), "{}", file.text());
    });
}

#[apply(each_database!)]
fn subtitle_edits_do_not_change_the_search_index(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &TEXTS).await;
        let changed = async || {
            let mut connection = server.state.db.read().await.unwrap();
            let stale = search::stale(&mut connection, 10).await.unwrap();
            stale
                .into_iter()
                .map(|entry| entry.changed)
                .collect::<Vec<_>>()
        };
        let before = changed().await;
        page.edit(set_cues("0", 0, json!([cue(0, 0.5, 1.5)]))).await;
        page.step("undo").await;
        assert_eq!(changed().await, before);
        page.edit(set_times("0", 2, 0.5, 4.0)).await;
        assert_ne!(changed().await, before, "times are told with what is found");
    });
}

#[apply(each_database!)]
fn hostile_times_and_subtitles_change_nothing(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &TEXTS).await;
        let client = page.client;
        let raw = |op: &str| {
            let id = Uuid::new_v4();
            format!(
                r#"{{"version":1,"client":"{client}","edits":[{{"edit_id":"{id}","op":{op}}}]}}"#
            )
        };
        let times = |start: &str, end: &str| {
            raw(&format!(
                r#"{{"kind":"set_times","times":[{{"segment":{{"id":"0","revision":0}},"start":{start},"end":{end}}}]}}"#
            ))
        };
        let cues = |cues: &str| {
            raw(&format!(
                r#"{{"kind":"set_cues","segment":{{"id":"0","revision":0}},"cues":{cues}}}"#
            ))
        };
        let valid_cue = r#"{"at":0,"start":0,"end":1,"breaks":[]}"#;
        let bodies = [
            times("NaN", "1"),
            times("1e999", "1"),
            times("null", "1"),
            times("\"0\"", "1"),
            times("-1e308", "1e308"),
            times("-0.5", "3"),
            times("3", "2"),
            times("0", "0.03"),
            cues("null"),
            cues("[{}]"),
            cues(r#"[{"at":-1,"start":0,"end":1,"breaks":[]}]"#),
            cues(r#"[{"at":0,"start":0,"end":61,"breaks":[]}]"#),
            cues(r#"[{"at":0,"start":0,"end":1e300,"breaks":[]}]"#),
            cues(r#"[{"at":4294967295,"start":0,"end":1,"breaks":[]}]"#),
            cues(r#"[{"at":0,"start":0,"end":1,"breaks":[4294967295]}]"#),
            cues(r#"[{"at":0,"start":0,"end":1,"breaks":[1,2,3,4]}]"#),
            cues(
                r#"[{"at":0,"start":0,"end":1,"breaks":[]},{"at":99,"start":2,"end":3,"breaks":[]}]"#,
            ),
            cues(
                r#"[{"at":0,"start":0,"end":2,"breaks":[]},{"at":5,"start":1,"end":3,"breaks":[]}]"#,
            ),
            cues(&format!("[{}]", vec![valid_cue; 1000].join(","))),
        ];
        let path = format!("{}/edits", page.path);
        for body in bodies {
            let request = server.request(axum::http::Method::POST, &path, &me);
            let request = request
                .header("content-type", "application/json")
                .body(axum::body::Body::from(body.clone()))
                .unwrap();
            let answer = server.send(request).await;
            let excerpt: String = body.chars().take(240).collect();
            assert!(
                [StatusCode::UNPROCESSABLE_ENTITY, StatusCode::BAD_REQUEST]
                    .contains(&answer.status),
                "{excerpt}: {} {}",
                answer.status,
                answer.text()
            );
            assert!(!answer.code().is_empty());
        }
        // A million subtitles exceed the limit of a request.
        let million = cues(&format!("[{}]", vec![valid_cue; 1_000_000].join(",")));
        let request = server.request(axum::http::Method::POST, &path, &me);
        let request = request
            .header("content-type", "application/json")
            .body(axum::body::Body::from(million))
            .unwrap();
        let answer = server.send(request).await;
        answer.is_problem(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large");
        let now = page.open().await;
        assert_eq!(
            (&now["seq"], page.texts().await),
            (&json!(0), TEXTS.map(str::to_owned).to_vec())
        );
    });
}

#[apply(each_database!)]
fn only_the_owner_can_edit_times_and_subtitles(backend: Backend) {
    with_server(backend, async |server| {
        // The first account is an administrator.
        let administrator = server.signup("admin@example.com").await;
        let owner = server.signup("owner@example.com").await;
        let stranger = server.signup("stranger@example.com").await;
        let page = Page::on(&server, &owner, &TEXTS).await;
        let path = format!("{}/edits", page.path);
        for op in [
            set_times("0", 0, 0.0, 3.0),
            set_cues("0", 0, json!([cue(0, 0.0, 1.0)])),
            insert(Value::Null, 0.0, 1.0),
        ] {
            let body = json!({"version": 1, "client": Uuid::new_v4(), "edits": [edit(op)]});
            for who in [&administrator, &stranger] {
                let answer = server.post_as(who, &path, &body).await;
                answer.is_problem(StatusCode::NOT_FOUND, "not_found");
            }
        }
        assert_eq!(page.open().await["seq"], 0);
    });
}
