//! OpenAI's audio API on real speech.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::body::Body;
use axum::http::StatusCode;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use slovo_rules::job::JobStatus;
use slovo_test_media::prompts;
use slovo_work::analysis::engines::Engines;

use super::support::{
    Part::{Field, File},
    TRANSCRIPTIONS, assert_welcome, form, jobs, left, request, send, speech, transcriber,
};
use crate::testing::scripted::ScriptedSpeakers;
use crate::testing::{
    Answer, Backend, TIMEOUT, TestServer, TestUser, apply, each_database, with_server,
    with_server_engines,
};

async fn transcribe(server: &TestServer, who: &TestUser, fields: &[(&str, &str)]) -> Answer {
    let wav = speech();
    let mut parts: Vec<_> = fields
        .iter()
        .map(|(name, value)| Field(name, value))
        .collect();
    // The recording is in the middle: clients send fields in any order.
    parts.insert(parts.len() / 2, File("file", "Вітання.wav", &wav));
    let answer = send(server, who, TRANSCRIPTIONS, &parts).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    answer
}

#[apply(each_database!)]
fn a_recording_is_answered_in_every_format_and_stays_in_the_library(backend: Backend) {
    with_server(backend, async |server| {
        server.start_work().await;
        let me = transcriber(&server).await;
        let lite = ("model", "lite");
        let json = transcribe(&server, &me, &[lite]).await.json();
        let text = json["text"].as_str().unwrap();
        assert_welcome(text);
        let seconds = prompts::WELCOME.seconds.ceil();
        assert_eq!(
            json["usage"],
            json!({"type": "duration", "seconds": seconds})
        );
        assert_eq!(json.as_object().unwrap().len(), 2, "{json}");

        let plain = transcribe(&server, &me, &[lite, ("response_format", "text")]).await;
        assert!(plain.header("content-type").starts_with("text/plain"));
        assert_eq!(plain.text().trim_end(), text);
        for (format, kind, start) in [
            ("srt", "application/x-subrip", "1\n00:00:0"),
            ("vtt", "text/vtt", "WEBVTT"),
        ] {
            let file = transcribe(&server, &me, &[("response_format", format), lite]).await;
            assert!(file.header("content-type").starts_with(kind), "{format}");
            assert!(file.text().starts_with(start), "{}", file.text());
        }
        let verbose = transcribe(
            &server,
            &me,
            &[
                ("response_format", "verbose_json"),
                lite,
                ("timestamp_granularities[]", "word"),
                ("timestamp_granularities[]", "segment"),
            ],
        )
        .await
        .json();
        assert_eq!(verbose["language"], "english");
        assert_eq!(verbose["task"], "transcribe");
        let words = verbose["words"].as_array().unwrap();
        let spelled: Vec<_> = words
            .iter()
            .map(|it| it["word"].as_str().unwrap())
            .collect();
        assert_eq!(spelled.join(" "), text);
        assert!(words[0]["start"].as_f64() < words[0]["end"].as_f64());
        let segment = &verbose["segments"][0];
        assert_eq!(segment["id"], 0);
        assert!(segment["avg_logprob"].as_f64().unwrap() < 0.0, "{segment}");
        assert!(segment["compression_ratio"].as_f64().unwrap() > 0.0);
        let sure = transcribe(&server, &me, &[lite, ("include[]", "logprobs")]).await;
        let tokens = sure.json()["logprobs"].as_array().unwrap().clone();
        let tokens: Vec<_> = tokens
            .iter()
            .map(|it| it["token"].as_str().unwrap())
            .collect();
        assert_eq!(tokens.concat(), text);

        assert_eq!(left(&server, &me).await, (6, 0));
        let jobs = server.get_as(&me, "/api/v1/jobs").await.json();
        assert_eq!(jobs["items"][0]["original_filename"], "Вітання.wav");
    });
}

/// The data of all events.
fn events(answer: &Answer) -> Vec<String> {
    assert!(
        answer
            .header("content-type")
            .starts_with("text/event-stream")
    );
    let text = answer.text();
    let lines = text.lines().filter_map(|line| line.strip_prefix("data: "));
    lines.map(str::to_owned).collect()
}

#[apply(each_database!)]
fn a_streamed_text_comes_in_deltas_and_once_as_a_whole(backend: Backend) {
    with_server(backend, async |server| {
        server.start_work().await;
        let me = transcriber(&server).await;
        let fields = [
            ("stream", "true"),
            ("model", "lite"),
            ("include[]", "logprobs"),
        ];
        let mut events = events(&transcribe(&server, &me, &fields).await);
        assert_eq!(events.pop().unwrap(), "[DONE]");
        let events: Vec<Value> = events
            .iter()
            .map(|it| serde_json::from_str(it).unwrap())
            .collect();
        let (last, deltas) = events.split_last().unwrap();
        assert_eq!(last["type"], "transcript.text.done");
        assert_welcome(last["text"].as_str().unwrap());
        let usage = json!({"type": "duration", "seconds": prompts::WELCOME.seconds.ceil()});
        assert_eq!(last["usage"], usage);
        let all = deltas.iter().map(|it| {
            assert_eq!(it["type"], "transcript.text.delta");
            assert!(it["logprobs"][0]["logprob"].as_f64().unwrap() <= 0.0);
            it["delta"].as_str().unwrap()
        });
        assert_eq!(all.collect::<String>(), last["text"].as_str().unwrap());
    });
}

#[apply(each_database!)]
fn a_repeated_request_gets_the_same_text_and_no_second_job(backend: Backend) {
    with_server(backend, async |server| {
        server.start_work().await;
        let me = transcriber(&server).await;
        let wav = speech();
        let ask = async |model: &str| {
            let parts = [File("file", "a.wav", &wav), Field("model", model)];
            let mut asked = request(&server, &me, TRANSCRIPTIONS, Body::from(form(&parts)));
            let key = "a-key".parse().unwrap();
            asked.headers_mut().insert("idempotency-key", key);
            server.send(asked).await
        };
        let (one, other) = (ask("lite").await, ask("lite").await);
        assert_eq!(one.json()["text"], other.json()["text"]);
        assert_welcome(one.json()["text"].as_str().unwrap());
        let refused = ask("full").await;
        assert_eq!(
            refused.status,
            StatusCode::BAD_REQUEST,
            "{}",
            refused.text()
        );
        assert_eq!(refused.json()["error"]["code"], "idempotency_key_reused");
        assert_eq!(left(&server, &me).await.0, 1);
    });
}

#[apply(each_database!)]
fn names_of_other_services_models_and_ours_are_listed(backend: Backend) {
    with_server(backend, async |server| {
        let me = transcriber(&server).await;
        let list = server.get_as(&me, "/v1/models").await.json();
        let names: Vec<_> = list["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["id"].as_str().unwrap())
            .collect();
        for name in [
            "full",
            "lite",
            "base-q8_0",
            "whisper-1",
            "gpt-4o-transcribe",
            "gpt-4o-mini-transcribe",
            "gpt-4o-transcribe-diarize",
            "gpt-transcribe",
        ] {
            assert!(names.contains(&name), "{names:?}");
            let one = server
                .get_as(&me, &format!("/v1/models/{name}"))
                .await
                .json();
            assert_eq!(one["object"], "model", "{one}");
        }
        let unknown = server.get_as(&me, "/v1/models/whisper-9").await;
        assert_eq!(unknown.status, StatusCode::NOT_FOUND);
        assert_eq!(unknown.json()["error"]["code"], "model_not_found");
    });
}

#[apply(each_database!)]
fn a_job_goes_on_when_its_client_goes_away(backend: Backend) {
    with_server(backend, async |server| {
        let me = transcriber(&server).await;
        let wav = speech();
        let parts = [Field("model", "lite"), File("file", "a.wav", &wav)];
        let asked = request(&server, &me, TRANSCRIPTIONS, Body::from(form(&parts)));
        let waiting = server.send(asked);
        let created = async {
            while left(&server, &me).await != (1, 0) {
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            }
        };
        // Nothing recognises yet, so the answer cannot come before the client is gone.
        tokio::select! {
            answer = waiting => panic!("{}", answer.text()),
            found = tokio::time::timeout(TIMEOUT, created) => found.unwrap(),
        }
        server.start_work().await;
        let done = async {
            loop {
                if jobs(&server, &me).await[0].status == JobStatus::Completed {
                    break;
                }
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(TIMEOUT, done).await.unwrap();
    });
}

#[apply(each_database!)]
fn known_speakers_are_called_by_their_names_also_in_the_library(backend: Backend) {
    let engines = Engines {
        speakers: Some(Arc::new(ScriptedSpeakers::default())),
        ..Engines::default()
    };
    with_server_engines(backend, engines, async |server| {
        server.start_work().await;
        let me = transcriber(&server).await;
        let sample = format!("data:audio/wav;base64,{}", BASE64_STANDARD.encode(speech()));
        let fields = [
            ("model", "gpt-4o-transcribe-diarize"),
            ("language", "en"),
            ("response_format", "diarized_json"),
            ("known_speaker_names[]", "Леся Українка"),
            ("known_speaker_references[]", &sample),
        ];
        let names = |segments: &Value| -> BTreeSet<String> {
            let segments = segments.as_array().unwrap().iter();
            segments
                .map(|segment| segment["speaker"].as_str().unwrap().to_owned())
                .collect()
        };
        // For the double, the voice of a sample is that of the first speaker.
        let expected = ["B", "Леся Українка"].map(str::to_owned).into();
        let answer = transcribe(&server, &me, &fields).await.json();
        assert_eq!(names(&answer["segments"]), expected, "{answer}");
        let [job] = &jobs(&server, &me).await[..] else {
            panic!("one job");
        };
        let path = format!("/api/v1/jobs/{}/transcript", job.id);
        let text = server.get_as(&me, &path).await.json();
        assert_eq!(text["speakers"][0]["name"], "Леся Українка");
        assert_eq!(text["speakers"][1]["name"], Value::Null);
        // The sample is gone.
        let removed = async {
            while left(&server, &me).await != (1, 0) {
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(TIMEOUT, removed)
            .await
            .expect("a sample is left");

        let streamed = [&fields[..], &[("stream", "true")]].concat();
        let stream = transcribe(&server, &me, &streamed).await.text();
        let data = stream
            .lines()
            .filter_map(|line| line.strip_prefix("data: "));
        let events = data.filter_map(|data| serde_json::from_str::<Value>(data).ok());
        let segments = events.filter(|event| event["type"] == "transcript.text.segment");
        assert_eq!(names(&segments.collect()), expected, "{stream}");
    });
}
