//! Stretches of a recording that are recognised again: what is refused, what becomes of the text,
//! and the work after an interruption.

use std::time::Duration;

use axum::http::StatusCode;
use serde_json::{Value, json};
use slovo_db::core::lease;
use slovo_db::texts::stretches;
use slovo_rules::transcript::{Segment, Word};
use slovo_test_media::prompts;
use slovo_transcripts::edits::recognise_again::{self, RecognisedStretch};
use slovo_transcripts::edits::{Author, EditError, SavedEdits};
use uuid::Uuid;

use super::edits::support::{Page, content, segment, set_text, talk};
use crate::testing::{Backend, TestServer, TestUser, apply, each_database, with_server};
use crate::tests::api::me::support::job;

const ACTION: &str = "/recognise-again";

/// Three segments of four seconds each, with two words each.
const TEXTS: [&str; 3] = ["один два", "три чотири", "п’ять шість"];

fn request_body(page: &Page<'_>, (start, end): (f64, f64), segments: Value) -> Value {
    let mut body = json!({"version": 1, "client": page.client, "start": start, "end": end,
        "language": "en", "mode": "full"});
    body["segments"] = segments;
    body
}

/// Asks for a stretch, which must be queued; returns it.
async fn ask(page: &Page<'_>, stretch: (f64, f64), segments: Value) -> Value {
    let answer = page
        .post(ACTION, &request_body(page, stretch, segments))
        .await;
    assert_eq!(answer.status, StatusCode::ACCEPTED, "{}", answer.text());
    answer.json()
}

async fn newest(page: &Page<'_>) -> Value {
    let list = page.get(&format!("{ACTION}?version=1")).await;
    list["stretches"][0].clone()
}

fn spoken(start: f64, end: f64, text: &str) -> Segment {
    let count = u32::try_from(text.split(' ').count()).unwrap();
    let length = (end - start) / f64::from(count);
    let words = text.split(' ').zip(0_u32..).map(|(word, number)| Word {
        start: start + f64::from(number) * length,
        end: start + f64::from(number + 1) * length,
        text: word.to_owned(),
        confidence: 0.9,
    });
    Segment {
        index: 0,
        start,
        end,
        speaker: None,
        language: Some("en".to_owned()),
        text: text.to_owned(),
        words: words.collect(),
    }
}

/// Ends the next stretch of the queue with these segments, as the worker does.
async fn finish(server: &TestServer, segments: &[Segment]) -> Result<SavedEdits, EditError> {
    let (state, now) = (&server.state, server.state.clock.now_ms());
    let claim = lease::Claim {
        lease_id: Uuid::new_v4().to_string(),
        owner: "test",
        now,
        until: now + 1000,
    };
    let mut transaction = state.db.write().await.unwrap();
    let claimed = stretches::claim(&mut transaction, state.db.backend(), &claim).await;
    let (lease, stretch) = claimed.unwrap().unwrap();
    transaction.commit().await.unwrap();
    let author = Author {
        job: stretch.job,
        version: i64::from(stretch.version),
        client: stretch.client,
        user_id: stretch.user_id.clone(),
        visitor: None,
        now,
    };
    let recognised = RecognisedStretch {
        stretch: (stretch.start, stretch.end),
        segments,
        seen: &stretch.segments,
        language: "en",
    };
    let mut transaction = state.db.write().await.unwrap();
    let saved =
        recognise_again::replace(&mut transaction, &author, stretch.id, &recognised).await?;
    let done = stretches::complete(&mut transaction, &lease, (saved.seq, "en"), now).await;
    assert!(done.unwrap());
    transaction.commit().await.unwrap();
    Ok(saved)
}

async fn page<'a>(server: &'a TestServer, who: &'a TestUser) -> Page<'a> {
    Page::on(server, who, &TEXTS).await
}

#[apply(each_database!)]
fn the_words_of_a_stretch_are_replaced_and_come_back_by_undo(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = page(&server, &me).await;
        let before = page.open().await;
        // From the middle of the first segment to the middle of the last one.
        let refs = json!([segment("0", 0), segment("1", 0), segment("2", 0)]);
        let asked = ask(&page, (2.0, 9.9), refs).await;
        assert_eq!(
            (&asked["status"], &asked["percent"]),
            (&json!("waiting"), &json!(0.0))
        );
        let new = [
            spoken(2.1, 5.0, "new words"),
            spoken(5.0, 9.0, "of another language"),
        ];
        finish(&server, &new).await.unwrap();

        let after = page.open().await;
        let texts: Vec<_> = after["segments"].as_array().unwrap().iter().collect();
        let said: Vec<_> = texts
            .iter()
            .map(|one| one["text"].as_str().unwrap())
            .collect();
        assert_eq!(said, ["один", "new words", "of another language", "шість"]);
        assert_eq!(
            (&texts[1]["language"], &texts[0]["language"]),
            (&json!("en"), &json!("uk"))
        );
        assert_eq!(texts[1]["words"][0]["text"], "new");
        assert_eq!(texts[1]["speaker"], "SPEAKER_0", "who said most of it");
        assert_eq!(texts[3]["id"], "2", "the rest keeps its id");

        let done = newest(&page).await;
        assert_eq!((&done["status"], &done["seq"]), (&json!("done"), &json!(1)));
        assert_eq!(done["found_language"], "en");
        let edits = page.get("/edits?version=1&since=0").await;
        assert_eq!(edits["edits"][0]["kind"], "recognise_again");
        assert_eq!(edits["edits"][0]["edit_id"], asked["id"]);
        let history = page.get("/history").await;
        assert_eq!(history["sessions"][0]["recognised_again"], json!(["en"]));

        assert_eq!(after["can_undo"], true);
        let undone = page.step("undo").await;
        assert_eq!(undone.status, StatusCode::OK, "{}", undone.text());
        assert_eq!(content(&page.open().await), content(&before));
        let redone = page.step("redo").await;
        assert_eq!(redone.status, StatusCode::OK, "{}", redone.text());
        assert_eq!(content(&page.open().await), content(&after));
    });
}

#[apply(each_database!)]
fn words_are_put_into_a_pause_of_a_segment(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let id = job(&server, &me, "розмова.wav", b"recording").await;
        let mut transcript = talk(&["один два"]);
        transcript.segments[0].words[0].end = 0.5;
        transcript.segments[0].words[1].start = 3.5;
        let page = Page::of(&server, &me, id, &transcript).await;
        ask(&page, (1.0, 3.0), json!([segment("0", 0)])).await;
        finish(&server, &[spoken(1.0, 3.0, "was missed")])
            .await
            .unwrap();
        assert_eq!(page.texts().await, ["один", "was missed", "два"]);
        // Words where no segment is: before the first one and behind the last one.
        ask(&page, (40.0, 50.0), json!([])).await;
        finish(&server, &[spoken(40.0, 50.0, "the end")])
            .await
            .unwrap();
        assert_eq!(page.texts().await, ["один", "was missed", "два", "the end"]);
    });
}

#[apply(each_database!)]
fn words_before_the_first_segment_can_be_recognised_twice(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let id = job(&server, &me, "розмова.wav", b"recording").await;
        let mut transcript = talk(&["один два"]);
        let first = &mut transcript.segments[0];
        (first.start, first.end) = (10.0, 14.0);
        for word in &mut first.words {
            (word.start, word.end) = (word.start + 10.0, word.end + 10.0);
        }
        let page = Page::of(&server, &me, id, &transcript).await;
        ask(&page, (0.0, 3.0), json!([])).await;
        finish(&server, &[spoken(0.0, 3.0, "first try")])
            .await
            .unwrap();
        let text = page.open().await;
        let new = &text["segments"][0];
        let seen = json!([{"id": new["id"], "revision": new["revision"]}]);
        ask(&page, (0.0, 3.0), seen).await;
        let better = [spoken(0.0, 1.5, "second try"), spoken(1.5, 3.0, "in parts")];
        finish(&server, &better).await.unwrap();
        assert_eq!(page.texts().await, ["second try", "in parts", "один два"]);
        page.edit(set_text("0", 0, "один, два")).await;
        assert_eq!(page.texts().await, ["second try", "in parts", "один, два"]);
    });
}

#[apply(each_database!)]
fn an_edit_in_the_meantime_is_not_lost(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = page(&server, &me).await;
        ask(&page, (4.0, 8.0), json!([segment("1", 0)])).await;
        let other = page.beside();
        other.edit(set_text("1", 0, "виправлено рукою")).await;
        let refused = finish(&server, &[spoken(4.0, 8.0, "new words")]).await;
        assert!(
            matches!(refused, Err(EditError::Conflict(_))),
            "{refused:?}"
        );
        assert_eq!(
            page.texts().await,
            ["один два", "виправлено рукою", "п’ять шість"]
        );
    });
}

#[apply(each_database!)]
fn a_removed_or_a_new_segment_is_a_conflict_too(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = page(&server, &me).await;
        ask(&page, (4.0, 8.0), json!([segment("1", 0)])).await;
        page.edit(json!({"kind": "remove", "segments": [segment("1", 0)]}))
            .await;
        let refused = finish(&server, &[spoken(4.0, 8.0, "new words")]).await;
        assert!(
            matches!(refused, Err(EditError::Conflict(_))),
            "{refused:?}"
        );
        assert_eq!(page.texts().await, ["один два", "п’ять шість"]);

        // What the page has not seen is named.
        let unseen = request_body(&page, (8.0, 12.0), json!([segment("2", 7)]));
        let unseen = page.post(ACTION, &unseen).await;
        // The first one is still claimed, but the text is looked at before.
        unseen.is_problem(StatusCode::CONFLICT, "edit_conflict");
        assert_eq!(unseen.json()["conflicts"][0]["id"], "2");
    });
}

#[apply(each_database!)]
fn bad_stretches_are_refused(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = page(&server, &me).await;
        let refs = || json!([segment("0", 0)]);
        for (stretch, field, code) in [
            ((-1.0, 3.0), "start", "number_too_small"),
            ((3.0, 1.0), "end", "span_too_short"),
            ((3.0, 3.1), "end", "span_too_short"),
            ((0.0, 301.0), "end", "number_too_large"),
            ((50.0, 61.0), "end", "number_too_large"),
        ] {
            let refused = page
                .post(ACTION, &request_body(&page, stretch, refs()))
                .await;
            refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
            let error = &refused.json()["errors"][0];
            assert_eq!(
                (&error["field"], &error["code"]),
                (&json!(field), &json!(code))
            );
        }
        for (field, value) in [("language", json!("xx")), ("language", json!(""))] {
            let mut body = request_body(&page, (0.0, 4.0), refs());
            body[field] = value;
            let refused = page.post(ACTION, &body).await;
            refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        }
        let mut lite = request_body(&page, (0.0, 4.0), refs());
        lite["mode"] = json!("lite");
        lite["language"] = json!("uk");
        let refused = page.post(ACTION, &lite).await;
        refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        let mut unknown = request_body(&page, (0.0, 4.0), refs());
        unknown["model"] = json!("../../secret.key");
        let refused = page.post(ACTION, &unknown).await;
        refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "unexpected_json");
        let mut version = request_body(&page, (0.0, 4.0), refs());
        version["version"] = json!(7);
        let refused = page.post(ACTION, &version).await;
        refused.is_problem(StatusCode::CONFLICT, "transcript_not_ready");
        let list = page.get(&format!("{ACTION}?version=1")).await;
        assert_eq!(list, json!({"stretches": []}));
    });
}

#[apply(each_database!)]
fn only_the_owner_may_and_one_at_a_time(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let stranger = server.signup("b@example.com").await;
        let page = page(&server, &me).await;
        let body = request_body(&page, (0.0, 4.0), json!([segment("0", 0)]));
        let path = format!("{}{ACTION}", page.path);
        let refused = server.post_as(&stranger, &path, &body).await;
        refused.is_problem(StatusCode::NOT_FOUND, "not_found");
        let refused = server.get_as(&stranger, &format!("{path}?version=1")).await;
        refused.is_problem(StatusCode::NOT_FOUND, "not_found");
        ask(&page, (0.0, 4.0), json!([segment("0", 0)])).await;
        let second = request_body(&page, (4.0, 8.0), json!([segment("1", 0)]));
        let refused = page.post(ACTION, &second).await;
        refused.is_problem(StatusCode::CONFLICT, "stretch_running");
    });
}

#[apply(each_database!)]
fn a_missing_recording_and_a_used_allowance_are_refused(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = page(&server, &me).await;
        let body = request_body(
            &page,
            (0.0, 60.0),
            json!([segment("0", 0), segment("1", 0), segment("2", 0)]),
        );
        // A recording of a minute may be recognised again for ten.
        for number in 0..10 {
            let mut transaction = server.state.db.write().await.unwrap();
            let statement = format!(
                "INSERT INTO stretches (id, my_job_id, version, user_id, client, start_time, \
                 end_time, mode, segments, status, run_after, created_at) VALUES \
                 ('{}', '{}', 1, 'x', 'x', 0, 60, 'full', '[]', 'done', {number}, 1)",
                Uuid::new_v4(),
                page.job
            );
            slovo_db::testing::execute(&mut transaction, &statement).await;
            transaction.commit().await.unwrap();
        }
        let refused = page.post(ACTION, &body).await;
        refused.is_problem(StatusCode::CONFLICT, "stretch_allowance_used");
        assert_eq!(refused.json()["params"]["minutes"], 0.0);
        let mut connection = server.state.db.read().await.unwrap();
        let found = slovo_db::jobs::find_any(&mut connection, page.job).await;
        drop(connection);
        let media_id = found.unwrap().unwrap().media_id;
        std::fs::remove_file(server.state.storage.media(media_id)).unwrap();
        let refused = page.post(ACTION, &body).await;
        refused.is_problem(StatusCode::CONFLICT, "recording_missing");
    });
}

/// Waits until the newest stretch has ended.
async fn ended(page: &Page<'_>) -> Value {
    loop {
        let stretch = newest(page).await;
        if !["waiting", "running"].contains(&stretch["status"].as_str().unwrap()) {
            return stretch;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[apply(each_database!)]
fn the_worker_recognises_a_stretch_that_a_dead_one_began(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let wav = std::fs::read(prompts::WELCOME.path()).unwrap();
        let id = job(&server, &me, "вітання.wav", &wav).await;
        let mut transcript = talk(&["зовсім не те"]);
        let seconds = prompts::WELCOME.seconds;
        transcript.duration = seconds;
        let page = Page::of(&server, &me, id, &transcript).await;
        let end = (seconds * 10.0).floor() / 10.0;
        ask(&page, (0.0, end.max(4.0)), json!([segment("0", 0)])).await;
        // A worker that was killed: its lease has expired.
        let now = server.state.clock.now_ms();
        let claim = lease::Claim {
            lease_id: Uuid::new_v4().to_string(),
            owner: "dead",
            now,
            until: now,
        };
        let mut transaction = server.state.db.write().await.unwrap();
        let backend = server.state.db.backend();
        let claimed = stretches::claim(&mut transaction, backend, &claim).await;
        assert!(claimed.unwrap().is_some());
        transaction.commit().await.unwrap();

        let usage = server.get_as(&me, "/api/v1/me/usage-history").await.json();
        server.start_work().await;
        let done = ended(&page).await;
        assert_eq!(done["status"], "done", "{done}");
        assert_eq!(done["found_language"], "en");
        let said = page.texts().await.join(" ").to_lowercase();
        assert!(
            said.contains("comedian") || said.contains("welcome"),
            "{said}"
        );
        assert!(!said.contains("зовсім"), "{said}");
        let after = server.get_as(&me, "/api/v1/me/usage-history").await.json();
        assert_eq!(after, usage, "it uses no minutes");
    });
}
