//! The effect of a job's settings on its exports and its files.

use std::sync::Arc;

use axum::http::StatusCode;
use serde_json::{Value, json};
use slovo_db::jobs::NewJob;
use slovo_db::lifecycle;
use slovo_engine::speakers::{Voice, VoicesRequest};
use slovo_engine::{CancelToken, EngineError};
use slovo_rules::job_plan;
use slovo_rules::settings::{MadeFile, Source, TranscriptionSettings};
use slovo_rules::transcript::{Segment, Transcript, Word};
use slovo_test_media::prompts;
use slovo_work::analysis::engines::Engines;
use slovo_work::analysis::speakers::{Speakers, SpeakersInput};
use slovo_work::jobs::file_links::{FileLink, FileLinks};
use uuid::Uuid;

use super::edits::support::{Page, complete, set_text, talk};
use super::support::{events, make_job_with, path, upload};
use crate::testing::{
    Backend, TestServer, TestUser, apply, each_database, with_server, with_server_engines,
};

/// A completed job with these settings.
async fn completed_job(
    server: &TestServer,
    who: &TestUser,
    settings: TranscriptionSettings,
) -> Uuid {
    let job = NewJob {
        id: Uuid::new_v4(),
        user_id: who.user_id.clone(),
        media_id: Uuid::new_v4(),
        original_filename: "розмова.wav".to_owned(),
        content_type: "audio/wav".to_owned(),
        file_size: 1,
        has_video: false,
        duration: None,
        plan: job_plan::validate(&settings, Source::File).unwrap(),
        audio_track: None,
        priority: 0,
        now: server.state.clock.now_ms(),
    };
    let mut transaction = server.state.db.write().await.unwrap();
    lifecycle::create_job(&mut transaction, &job).await.unwrap();
    transaction.commit().await.unwrap();
    complete(server, &talk(&["Добрий день.", "Вітаю вас."])).await;
    job.id
}

fn timed(sentences: bool, words: bool) -> TranscriptionSettings {
    TranscriptionSettings {
        sentence_level_timestamps: sentences,
        word_level_timestamps: words,
        ..TranscriptionSettings::default()
    }
}

#[apply(each_database!)]
fn exports_contain_the_times_requested_for_the_job(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        for (sentences, words) in [(true, false), (false, false), (false, true)] {
            let id = completed_job(&server, &me, timed(sentences, words)).await;
            let export = async |query: &str| {
                let path = format!("/api/v1/jobs/{id}/export?format={query}");
                let answer = server.get_as(&me, &path).await;
                assert_eq!(answer.status, StatusCode::OK, "{query}: {}", answer.text());
                answer.text()
            };
            let txt = export("txt").await;
            assert_eq!(
                txt.contains("[00:00:04] S2: Вітаю вас."),
                sentences,
                "{txt}"
            );
            assert_eq!(export("md").await.contains("`00:00:04`"), sentences);
            let csv = export("csv").await;
            let head = match (sentences, words) {
                (true, _) => "\u{feff}start,end,speaker,text,language\r\n",
                (false, true) => "\u{feff}segment,start,end,speaker,word,confidence,language\r\n",
                (false, false) => "\u{feff}speaker,text,language\r\n",
            };
            assert!(csv.starts_with(head), "{csv}");
            let data: Value = serde_json::from_str(&export("json").await).unwrap();
            let first = &data["segments"][0];
            assert_eq!(first.get("start").is_some(), sentences);
            assert_eq!(first["words"].as_array().unwrap().is_empty(), !words);
            let vtt = export("vtt").await;
            assert!(vtt.contains("00:00:04.000 --> 00:00:08.000"), "{vtt}");
            assert_eq!(vtt.contains("Добрий <00:00:02.000>день."), words, "{vtt}");
            // A query parameter overrides the settings.
            let with_times = export("txt&timestamps=true").await;
            assert!(with_times.starts_with("[00:00:00] S1: "), "{with_times}");
            let without_times = export("txt&timestamps=false").await;
            assert!(without_times.starts_with("S1: Добрий"), "{without_times}");
            let with_words: Value = serde_json::from_str(&export("json&words=true").await).unwrap();
            assert_eq!(
                with_words["segments"][0]["words"].as_array().unwrap().len(),
                2
            );
            assert!(!export("vtt&words=false").await.contains("<00:"));
        }
    });
}

/// The JSON of the second segment, with these parts for its times.
fn second(start_and_end: &str, words: &str) -> String {
    format!(
        r#"{{"id":"1","revision":0,"place":{{"base":1,"part":0}},{start_and_end}"speaker":"SPEAKER_1","language":"uk","text":"Вітаю вас.","words":{words}}}"#
    )
}

const TIMES: &str = r#""start":4.0,"end":8.0,"#;
const WORDS: &str = r#"[{"start":4.0,"end":6.0,"text":"Вітаю","confidence":0.5},{"start":6.0,"end":8.0,"text":"вас.","confidence":0.5}]"#;

#[apply(each_database!)]
fn transcripts_contain_the_requested_times_or_all_if_asked_for(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        for (sentences, words) in [(false, false), (true, false), (false, true), (true, true)] {
            let id = completed_job(&server, &me, timed(sentences, words)).await;
            let read = async |query: &str| {
                let path = format!("/api/v1/jobs/{id}/transcript{query}");
                let answer = server.get_as(&me, &path).await;
                assert_eq!(answer.status, StatusCode::OK, "{query}: {}", answer.text());
                answer.text()
            };
            let expected = second(
                if sentences { TIMES } else { "" },
                if words { WORDS } else { "[]" },
            );
            for query in ["", "?times=asked", "?version=1&at=0"] {
                let text = read(query).await;
                assert!(
                    text.starts_with(r#"{"times":"asked","version":1,"#),
                    "{text}"
                );
                assert!(text.contains(&expected), "{text} has not {expected}");
                assert_eq!(text.contains(r#""start""#), sentences || words);
            }
            let all = read("?times=all").await;
            assert!(all.starts_with(r#"{"times":"all","version":1,"#), "{all}");
            assert!(all.contains(&second(TIMES, WORDS)), "{all}");
            // Both include what the client can do.
            for text in [read("").await, all] {
                let text: Value = serde_json::from_str(&text).unwrap();
                let flags = ["newest", "can_undo", "can_redo"].map(|flag| text[flag].clone());
                assert_eq!(flags, [json!(true), json!(false), json!(false)]);
                assert_eq!(
                    (&text["duration"], &text["language"]),
                    (&json!(60.0), &json!("uk"))
                );
            }
            for wrong in ["none", "All", ""] {
                let path = format!("/api/v1/jobs/{id}/transcript?times={wrong}");
                let refused = server.get_as(&me, &path).await;
                refused.is_problem(StatusCode::BAD_REQUEST, "malformed_query");
            }
        }
    });
}

#[apply(each_database!)]
fn archived_files_contain_the_times_requested_for_their_jobs(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let with_times = completed_job(&server, &me, timed(true, false)).await;
        let without_times = completed_job(&server, &me, timed(false, false)).await;
        for (choice, timed) in [
            (Value::Null, [true, false]),
            (json!(true), [true; 2]),
            (json!(false), [false; 2]),
        ] {
            let form =
                json!({"jobs": [with_times, without_times], "format": "txt", "timestamps": choice});
            let answer = server.post_as(&me, "/api/v1/exports", &form).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
            let mut archive =
                zip::ZipArchive::new(std::io::Cursor::new(answer.body.to_vec())).unwrap();
            for (index, timed) in timed.into_iter().enumerate() {
                let file = archive.by_index(index).unwrap();
                let text = std::io::read_to_string(file).unwrap();
                assert_eq!(text.starts_with("[00:00:00] "), timed, "{text}");
            }
        }
    });
}

#[apply(each_database!)]
fn a_shared_page_reports_whether_times_are_shown(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        for sentences in [true, false] {
            let id = completed_job(&server, &me, timed(sentences, false)).await;
            let form = json!({"with_media": false, "expires_at": null});
            let share = server
                .post_as(&me, &format!("/api/v1/jobs/{id}/shares"), &form)
                .await;
            let url = share.json()["url"].as_str().unwrap().to_owned();
            let token = url.rsplit('/').next().unwrap();
            let shared = server.get(&format!("/api/v1/shared/{token}")).await.json();
            assert_eq!(shared["with_times"], sentences, "{shared}");
        }
    });
}

/// Enables plans: accounts without one have the demo plan's formats, text and VTT.
async fn sell_formats(server: &TestServer) {
    let demo = slovo_rules::plan::DemoPlan::for_paid_service();
    let mut transaction = server.state.db.write().await.unwrap();
    slovo_db::site::server_settings::set(&mut transaction, slovo_db::plans::ledger::DEMO, &demo, 5)
        .await
        .unwrap();
    transaction.commit().await.unwrap();
}

#[apply(each_database!)]
fn files_of_jobs_are_refused_if_the_plan_lacks_their_format(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let wav = std::fs::read(prompts::WELCOME.path()).unwrap();
        let settings = json!({"transcription_type": "lite", "language_code": "en",
            "return_as_file": true, "srt": true});
        // Requested while the plan included the format.
        let pending_job = make_job_with(&server, &me, "a.wav", &wav, settings.clone()).await;
        let stored_job = make_job_with(&server, &me, "b.wav", &wav, settings.clone()).await;
        let file = (
            MadeFile::Srt,
            "1\n00:00:00,000 --> 00:00:01,000\nСлово\n".to_owned(),
        );
        let stored_id: Uuid = stored_job["my_job_id"].as_str().unwrap().parse().unwrap();
        let mut transaction = server.state.db.write().await.unwrap();
        slovo_db::jobs::files::replace(&mut transaction, stored_id, 1, &[file], 7)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        let get = async |job: &Value, format: &str| {
            let path = format!("{}/files/{format}", path(job));
            server.get_as(&me, &path).await
        };
        assert_eq!(get(&stored_job, "srt").await.status, StatusCode::OK);

        sell_formats(&server).await;
        let refused = get(&stored_job, "srt").await;
        refused.is_problem(StatusCode::FORBIDDEN, "format_not_in_plan");
        assert_eq!(refused.json()["params"]["format"], "SRT");
        let link = FileLink {
            job: stored_id,
            file: MadeFile::Srt,
            made_at: 7,
        };
        let until = server.state.clock.now().as_second() + 60;
        let token = FileLinks::new(&server.state.secret)
            .issue(&link, until)
            .unwrap();
        let mailed = server.get(&format!("/api/v1/files/{token}")).await;
        mailed.is_problem(StatusCode::FORBIDDEN, "format_not_in_plan");

        server.start_work().await;
        let received = events(&server, &me, &pending_job).await;
        let completed = &received.last().unwrap().1["job"];
        assert_eq!(completed["status"], "completed", "{completed}");
        let formats: Vec<_> = completed["files"].as_array().unwrap().iter().collect();
        assert_eq!(formats.len(), 1, "{completed}");
        assert_eq!(formats[0]["format"], "txt");
        assert_eq!(get(&pending_job, "txt").await.status, StatusCode::OK);
        get(&pending_job, "srt")
            .await
            .is_problem(StatusCode::FORBIDDEN, "format_not_in_plan");

        // From now on the format is refused.
        events(&server, &me, &stored_job).await;
        let id = upload(&server, &me, "c.wav", &wav).await;
        let body = json!({"upload_id": id, "settings": settings});
        let refused = server.post_as(&me, "/api/v1/jobs", &body).await;
        refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        let expected = json!({"field": "settings.srt", "code": "feature_not_in_plan",
            "params": {"feature": "export_formats"}});
        assert_eq!(refused.json()["errors"], json!([expected]));
    });
}

#[apply(each_database!)]
fn requested_files_are_created_with_the_job_and_not_edited(backend: Backend) {
    with_server(backend, async |server| {
        server.start_work().await;
        let me = server.signup("a@example.com").await;
        let other = server.signup("b@example.com").await;
        let wav = std::fs::read(prompts::WELCOME.path()).unwrap();
        let settings = json!({"transcription_type": "lite", "language_code": "en",
            "return_as_file": true, "srt": true, "sentence_level_timestamps": false});
        let job = make_job_with(&server, &me, "Вітання.wav", &wav, settings).await;
        assert_eq!(job["files"], json!([]), "none before there is a text");
        let received = events(&server, &me, &job).await;
        let completed = &received.last().unwrap().1["job"];
        let formats: Vec<&Value> = completed["files"]
            .as_array()
            .unwrap()
            .iter()
            .map(|file| &file["format"])
            .collect();
        assert_eq!(formats, ["txt", "srt"], "{completed}");
        let job = path(&job);
        let get = async |format: &str| server.get_as(&me, &format!("{job}/files/{format}")).await;
        let txt = get("txt").await;
        assert_eq!(txt.status, StatusCode::OK, "{}", txt.text());
        assert!(txt.header("content-type").starts_with("text/plain"));
        assert!(txt.header("content-disposition").ends_with(".txt"));
        assert!(txt.text().to_lowercase().contains("welcome"));
        assert!(!txt.text().contains("[00:"), "no times were asked for");
        assert_eq!(completed["files"][0]["size"], txt.body.len());
        let srt = get("srt").await;
        assert!(srt.text().starts_with("1\n00:00:0"), "{}", srt.text());
        assert_eq!(get("docx").await.status, StatusCode::NOT_FOUND);
        let foreign = server.get_as(&other, &format!("{job}/files/txt")).await;
        foreign.is_problem(StatusCode::NOT_FOUND, "not_found");
        // An edit changes the export, not the file made before.
        let id: Uuid = job.rsplit('/').next().unwrap().parse().unwrap();
        let page = Page {
            server: &server,
            who: &me,
            path: job.clone(),
            job: id,
            client: Uuid::new_v4(),
        };
        page.edit(set_text("0", 0, "Змінено.")).await;
        let export = server
            .get_as(&me, &format!("{job}/export?format=txt"))
            .await;
        assert!(export.text().contains("Змінено."), "{}", export.text());
        assert_eq!(get("txt").await.body, txt.body);
        // A run without requested files deletes them.
        let again = json!({"settings": {"transcription_type": "lite", "language_code": "en"}});
        let again = server.post_as(&me, &format!("{job}/rerun"), &again).await;
        assert!(again.status.is_success(), "{}", again.text());
        let received = events(&server, &me, &again.json()).await;
        assert_eq!(received.last().unwrap().1["job"]["files"], json!([]));
        get("txt")
            .await
            .is_problem(StatusCode::NOT_FOUND, "not_found");
        server.state.shutdown.cancel();
        server.state.tasks.close();
        server.state.tasks.wait().await;
    });
}

/// A scripted engine that always reports a swear word.
struct ProfaneEngine;

impl Speakers for ProfaneEngine {
    fn identify_speakers(
        &self,
        _request: &SpeakersInput,
        transcript: Transcript,
        _cancel: &CancelToken,
        _percent: &mut (dyn FnMut(f64) + Send),
    ) -> Result<Transcript, EngineError> {
        let first = transcript.segments[0].clone();
        let word = |(at, text): (u32, &str)| Word {
            start: first.start + f64::from(at) / 10.0,
            end: first.start + f64::from(at + 1) / 10.0,
            text: text.to_owned(),
            confidence: 0.9,
        };
        let text = "Where the fuck is my class, блядь?";
        let segments = vec![Segment {
            words: (0..).zip(text.split(' ')).map(word).collect(),
            text: text.to_owned(),
            speaker: Some("SPEAKER_0".to_owned()),
            ..first
        }];
        Ok(Transcript {
            segments,
            ..transcript
        })
    }

    fn describe_voices(
        &self,
        request: &VoicesRequest,
        _cancel: &CancelToken,
    ) -> Result<Vec<Option<Voice>>, EngineError> {
        Ok(vec![None; request.speakers.len()])
    }
}

#[apply(each_database!)]
fn swear_words_are_masked_or_removed_wherever_the_text_is_read(backend: Backend) {
    let engines = Engines {
        speakers: Some(Arc::new(ProfaneEngine)),
        ..Engines::default()
    };
    with_server_engines(backend, engines, async |server| {
        server.start_work().await;
        let me = server.signup("a@example.com").await;
        let wav = std::fs::read(prompts::WELCOME.path()).unwrap();
        let settings = |profanity: &str| {
            json!({"transcription_type": "lite", "language_code": "en", "diarization": true,
                "srt": true, "profanity": profanity})
        };
        let mut job = make_job_with(&server, &me, "a.wav", &wav, settings("mask")).await;
        for (profanity, expected, words) in [
            ("mask", "Where the f*** is my class, б****?", 7),
            ("remove", "Where the is my class?", 5),
            ("keep", "Where the fuck is my class, блядь?", 7),
        ] {
            if profanity != "mask" {
                let again = json!({"settings": settings(profanity)});
                let again = server
                    .post_as(&me, &format!("{}/rerun", path(&job)), &again)
                    .await;
                assert!(again.status.is_success(), "{}", again.text());
                job = again.json();
            }
            let received = events(&server, &me, &job).await;
            assert_eq!(received.last().unwrap().1["job"]["status"], "completed");
            let get = async |suffix: &str| {
                let path = format!("{}/{suffix}", path(&job));
                server.get_as(&me, &path).await
            };
            let transcript = get("transcript?times=all").await.json();
            let segment = &transcript["segments"][0];
            assert_eq!(segment["text"], expected, "{profanity}");
            assert_eq!(
                segment["words"].as_array().unwrap().len(),
                words,
                "{segment}"
            );
            for file in ["export?format=txt", "export?format=srt", "files/srt"] {
                let file = get(file).await.text().replace('\n', " ");
                assert!(file.contains(expected), "{profanity}: {file}");
            }
        }
        server.state.shutdown.cancel();
        server.state.tasks.close();
        server.state.tasks.wait().await;
    });
}
