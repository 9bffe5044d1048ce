//! The effect of each kind of edit, and its undo and redo.

use axum::http::StatusCode;
use serde_json::{Value, json};
use uuid::Uuid;

use super::support::{Page, content, edit, segment, set_text};
use crate::testing::{Backend, apply, each_database, with_server};

const TEXTS: [&str; 4] = ["один два три", "чотири п’ять", "шість", "сім вісім"];

#[apply(each_database!)]
fn every_edit_can_be_undone_and_redone(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &TEXTS).await;
        let as_recognised = page.open().await;
        assert_eq!(as_recognised["seq"], 0);
        assert_eq!(as_recognised["newest"], true);
        assert_eq!(as_recognised["speakers"][1]["id"], "SPEAKER_1");
        let at = "один ".chars().count();
        let new = |id: &str, text: &str| json!({"segment": segment(id, 0), "text": text});
        let ops = [
            set_text("0", 0, "один два чотири"),
            json!({"kind": "replace", "segments": [new("1", "п’ять"), new("3", "дев’ять")]}),
            json!({"kind": "split", "segment": segment("0", 0), "at": at,
                "new_segment": Uuid::new_v4()}),
            json!({"kind": "merge", "segment": segment("1", 0), "next": segment("2", 0)}),
            json!({"kind": "confirm_words", "segment": segment("0", 0), "words": [0, 2]}),
            json!({"kind": "remove", "segments": [segment("1", 0), segment("3", 0)]}),
            json!({"kind": "set_speaker", "segments": [segment("0", 0), segment("2", 0)],
                "speaker": "SPEAKER_1"}),
            json!({"kind": "set_speaker", "segments": [segment("3", 0)], "speaker": null}),
            json!({"kind": "rename_speaker", "speaker": "SPEAKER_0", "name": "Леся"}),
            json!({"kind": "merge_speakers", "from": "SPEAKER_1", "into": "SPEAKER_0"}),
            json!({"kind": "set_times",
                "times": [{"segment": segment("1", 0), "start": 4.5, "end": 7.25}]}),
            json!({"kind": "insert", "new_segment": Uuid::new_v4(), "after": segment("1", 0),
                "start": 5.0, "end": 6.0, "text": "пропущене", "speaker": "SPEAKER_1"}),
            json!({"kind": "set_cues", "segment": segment("0", 0), "cues": [
                {"at": 0, "start": 0.5, "end": 1.5, "breaks": []},
                {"at": 5, "start": 2.0, "end": 3.5, "breaks": [9]}]}),
            json!({"kind": "correct_cues", "segments": [{"segment": segment("3", 0),
                "cues": [{"at": 0, "start": 12.5, "end": 15.0, "breaks": []}]}]}),
        ];
        for op in ops {
            let page = Page::on(&server, &me, &TEXTS).await;
            let answer = page.edit(op.clone()).await;
            assert_eq!(answer["seq"], 1, "{op}");
            assert_eq!(
                (&answer["can_undo"], &answer["can_redo"]),
                (&json!(true), &json!(false))
            );
            let edited = page.open().await;
            assert_ne!(content(&edited), content(&as_recognised), "{op}");
            assert_answer_matches(&answer, &edited);

            let undone = page.step("undo").await;
            assert_eq!(undone.status, StatusCode::OK, "{op}: {}", undone.text());
            let undone = undone.json();
            assert_eq!(
                (&undone["can_undo"], &undone["can_redo"]),
                (&json!(false), &json!(true))
            );
            let after_undo = page.open().await;
            assert_eq!(content(&after_undo), content(&as_recognised), "{op}");
            assert_eq!(
                after_undo["can_redo"], true,
                "a page that is loaded anew knows"
            );
            assert_answer_matches(&undone, &after_undo);
            page.step("undo")
                .await
                .is_problem(StatusCode::CONFLICT, "nothing_to_undo");

            let redone = page.step("redo").await;
            assert_eq!(redone.status, StatusCode::OK, "{op}: {}", redone.text());
            let after_redo = page.open().await;
            assert_eq!(content(&after_redo), content(&edited), "{op}");
            assert_eq!(after_redo["seq"], 3);
            page.step("redo")
                .await
                .is_problem(StatusCode::CONFLICT, "nothing_to_redo");
            // Every earlier state can still be read.
            for (at, expected) in [
                (0, &as_recognised),
                (1, &edited),
                (2, &after_undo),
                (3, &after_redo),
            ] {
                let then = format!("/transcript?version=1&at={at}&times=all");
                let then = page.get(&then).await;
                assert_eq!(content(&then), content(expected), "{op} at {at}");
                assert_eq!(then["newest"], false);
            }
        }
    });
}

/// The answer contains the changed segments and the speakers.
fn assert_answer_matches(answer: &Value, transcript: &Value) {
    assert_eq!(answer["speakers"], transcript["speakers"]);
    let segments = transcript["segments"].as_array().unwrap();
    for change in answer["changes"].as_array().unwrap() {
        let now = segments
            .iter()
            .find(|segment| segment["id"] == change["id"]);
        assert_eq!(now.unwrap_or(&Value::Null), &change["segment"]);
    }
}

#[apply(each_database!)]
fn an_edited_text_keeps_the_times_of_unchanged_words(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["один два три чотири"]).await;
        let before = page.open().await["segments"][0]["words"].clone();
        page.edit(set_text("0", 0, "  один двоє три чотири\n"))
            .await;
        let after = page.open().await["segments"][0].clone();
        assert_eq!(after["text"], "один двоє три чотири");
        assert_eq!(after["revision"], 1);
        for unchanged in [0, 2, 3] {
            assert_eq!(after["words"][unchanged], before[unchanged]);
        }
        assert_eq!(after["words"][1]["start"], before[1]["start"]);
        assert_eq!(after["words"][1]["confidence"], 1.0);
    });
}

#[apply(each_database!)]
fn confirmed_words_get_full_confidence_and_keep_text_and_times(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["один два три"]).await;
        let before = page.open().await["segments"][0].clone();
        let confirm = |revision, words: Value| json!({"kind": "confirm_words", "segment": segment("0", revision), "words": words});
        page.edit(confirm(0, json!([1]))).await;
        let after = page.open().await["segments"][0].clone();
        assert_eq!(
            (&after["text"], &after["revision"]),
            (&before["text"], &json!(1))
        );
        for unchanged in [0, 2] {
            assert_eq!(after["words"][unchanged], before["words"][unchanged]);
        }
        assert_eq!(after["words"][1]["confidence"], 1.0);
        assert_eq!(after["words"][1]["start"], before["words"][1]["start"]);
        let far = page.send(vec![edit(confirm(1, json!([3])))]).await;
        far.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        assert_eq!(far.json()["errors"][0]["field"], "edits.0.op.words");
        let late = page.send(vec![edit(confirm(0, json!([0])))]).await;
        late.is_problem(StatusCode::CONFLICT, "edit_conflict");
    });
}

#[apply(each_database!)]
fn split_and_merged_segments_keep_their_order(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["а б в", "г"]).await;
        let (second, third) = (Uuid::new_v4(), Uuid::new_v4());
        let split = |id: &str, revision, at, new: Uuid| {
            json!({"kind": "split", "segment": segment(id, revision), "at": at,
                "new_segment": new})
        };
        // Both in one request: the second edit applies to the result of the first.
        let answer = page
            .send(vec![
                edit(split("0", 0, 4, third)),
                edit(split("0", 1, 2, second)),
            ])
            .await;
        assert_eq!(answer.json()["seq"], 2, "{}", answer.text());
        assert_eq!(page.texts().await, ["а", "б", "в", "г"]);
        let (second, third) = (second.to_string(), third.to_string());
        let far = json!({"kind": "merge", "segment": segment("0", 2), "next": segment(&third, 1)});
        let refused = page.send(vec![edit(far)]).await;
        refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        assert_eq!(refused.json()["errors"][0]["code"], "segments_not_adjacent");
        assert_eq!(refused.json()["errors"][0]["field"], "edits.0.op.next");
        for (next, revision) in [(&second, 2), (&third, 3)] {
            let near = json!({"kind": "merge", "segment": segment("0", revision),
                "next": segment(next, 1)});
            page.edit(near).await;
        }
        page.edit(json!({"kind": "merge", "segment": segment("0", 4), "next": segment("1", 0)}))
            .await;
        assert_eq!(page.texts().await, ["а б в г"]);
        for _ in 0..5 {
            assert_eq!(page.step("undo").await.status, StatusCode::OK);
        }
        assert_eq!(page.texts().await, ["а б в", "г"]);
    });
}

#[apply(each_database!)]
fn a_segment_can_be_split_only_so_many_times(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let text = vec!["я"; 60].join(" ");
        let page = Page::on(&server, &me, &[&text]).await;
        let mut revision = 0;
        let refused = loop {
            let split = json!({"kind": "split", "segment": segment("0", revision),
                "at": 2 * (59 - revision), "new_segment": Uuid::new_v4()});
            let answer = page.send(vec![edit(split)]).await;
            if answer.status != StatusCode::OK {
                break answer;
            }
            revision += 1;
        };
        refused.is_problem(StatusCode::CONFLICT, "split_too_deep");
        assert!(revision > 30, "{revision}");
        let texts = page.texts().await;
        assert_eq!(texts.join(" "), text);
    });
}

#[apply(each_database!)]
fn undoing_a_speaker_merge_also_restores_edited_segments(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &TEXTS).await;
        let merge = json!({"kind": "merge_speakers", "from": "SPEAKER_1", "into": "SPEAKER_0"});
        let answer = page.edit(merge).await;
        assert_eq!(answer["changes"].as_array().unwrap().len(), 2);
        assert_eq!(answer["speakers"].as_array().unwrap().len(), 1);
        let other = page.beside();
        other.edit(set_text("1", 0, "інше")).await;
        for op in [
            json!({"kind": "rename_speaker", "speaker": "SPEAKER_1", "name": "Хтось"}),
            json!({"kind": "merge_speakers", "from": "SPEAKER_0", "into": "SPEAKER_1"}),
            json!({"kind": "set_speaker", "segments": [segment("0", 0)], "speaker": "SPEAKER_3"}),
        ] {
            let refused = page.send(vec![edit(op)]).await;
            refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        }
        assert_eq!(page.step("undo").await.status, StatusCode::OK);
        let now = page.open().await;
        for (at, speaker) in [(0, "SPEAKER_0"), (1, "SPEAKER_1"), (3, "SPEAKER_1")] {
            assert_eq!(now["segments"][at]["speaker"], speaker);
        }
        // The next free number creates a speaker.
        let new = json!({"kind": "set_speaker", "segments": [segment("0", 0)],
            "speaker": "SPEAKER_2"});
        let answer = page.edit(new).await;
        assert_eq!(answer["speakers"][2]["id"], "SPEAKER_2");
        assert_eq!(page.open().await["segments"][0]["speaker"], "SPEAKER_2");
    });
}
