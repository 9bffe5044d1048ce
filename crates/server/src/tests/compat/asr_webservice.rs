//! The API of whisper-asr-webservice on real speech, as Bazarr and Speakr use it.

use axum::body::Body;
use axum::http::{StatusCode, header};
use serde_json::Value;

use super::support::{
    BOUNDARY,
    Part::{self, File},
    assert_welcome, form, jobs, left, samples, send, speech, transcriber, with_password,
};
use crate::testing::{Answer, Backend, TestServer, TestUser, with_server};

/// As Bazarr sends it: a key in the address, and samples without a header.
async fn as_bazarr(server: &TestServer, who: &TestUser, path: &str) -> Answer {
    let samples = samples();
    let body = form(&[File("audio_file", "audio_file", &samples)]);
    let kind = format!("multipart/form-data; boundary={BOUNDARY}");
    let request = with_password(who, path).header(header::CONTENT_TYPE, kind);
    server.send(request.body(Body::from(body)).unwrap()).await
}

#[test]
fn bazarr_gets_subtitles_of_samples_and_names_the_recording() {
    with_server(Backend::Sqlite, async |server| {
        server.start_work().await;
        let me = transcriber(&server).await;
        let path = "/asr?task=transcribe&language=en&output=srt&encode=false&model=lite\
            &video_file=%2Fmovies%2FDay.mkv";
        let answer = as_bazarr(&server, &me, path).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        assert!(answer.text().starts_with("1\n00:00:0"), "{}", answer.text());
        let jobs = jobs(&server, &me).await;
        assert_eq!(jobs[0].original_filename, "Day.mkv");
    });
}

#[test]
fn the_language_is_found_and_nothing_is_left() {
    with_server(Backend::Sqlite, async |server| {
        server.start_work().await;
        let me = transcriber(&server).await;
        let answer = as_bazarr(&server, &me, "/detect-language?encode=false").await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        let found = answer.json();
        assert_eq!(found["language_code"], "en");
        assert_eq!(found["detected_language"], "english");
        assert!(found["confidence"].as_f64().unwrap() > 0.8, "{found}");
        while left(&server, &me).await != (0, 0) {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        let silence = vec![0; 64_000];
        let parts = [File("audio_file", "a", &silence)];
        let answer = send(&server, &me, "/detect-language?encode=false", &parts).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST);
        assert!(answer.header("content-type").starts_with("text/plain"));
        assert!(answer.text().contains("speech"), "{}", answer.text());
    });
}

#[test]
fn the_connection_test_of_bazarr_says_whether_the_key_is_accepted() {
    with_server(Backend::Sqlite, async |server| {
        let me = transcriber(&server).await;
        let asked = async |request: axum::http::request::Builder| {
            server.send(request.body(Body::empty()).unwrap()).await
        };
        // Bazarr asks with the key in the address, and shows `version`.
        let key = || with_password(&me, "/status").method("GET");
        let answer = asked(key().header(header::ACCEPT, "*/*")).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        let version = concat!("Slovo ", env!("CARGO_PKG_VERSION"));
        assert_eq!(answer.json(), serde_json::json!({ "version": version }));

        let unknown = TestUser {
            access_token: "slovo_unknown".to_owned(),
            ..me.clone()
        };
        let refused = asked(with_password(&unknown, "/status").method("GET")).await;
        // Bazarr then says: "Access Denied. Check API key."
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
        assert!(!refused.text().contains(version), "{}", refused.text());

        // People see the page, also behind a proxy that asks for a password.
        let page = axum::http::Request::get("/status");
        for visit in [page, key().header(header::ACCEPT, "text/html,*/*;q=0.8")] {
            let answer = asked(visit).await;
            assert_eq!(answer.status, StatusCode::OK);
            assert!(answer.header("content-type").starts_with("text/html"));
        }
    });
}

async fn transcribe(server: &TestServer, who: &TestUser, query: &str) -> Answer {
    let wav = speech();
    let path = format!("/asr?model=lite&{query}");
    let answer = send(server, who, &path, &[File("audio_file", "День.wav", &wav)]).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    answer
}

#[test]
fn speakr_gets_segments() {
    with_server(Backend::Sqlite, async |server| {
        server.start_work().await;
        let me = transcriber(&server).await;
        let query = "encode=true&task=transcribe&output=json&diarize=false\
            &enable_diarization=false&word_timestamps=true";
        let json = transcribe(&server, &me, query).await.json();
        assert_eq!(json["language"], "en");
        assert_welcome(json["text"].as_str().unwrap());
        let segments = json["segments"].as_array().unwrap();
        let all = |key: &str| {
            segments
                .iter()
                .map(|it| it[key].clone())
                .collect::<Vec<_>>()
        };
        assert!(all("start").iter().all(Value::is_number), "{json}");
        let words = segments[0]["words"].as_array().unwrap();
        assert!(words[0]["word"].as_str().unwrap().starts_with(' '));
        assert!(words[0]["probability"].as_f64().unwrap() > 0.0);
    });
}

#[test]
fn texts_and_tables_have_a_line_for_each_segment() {
    with_server(Backend::Sqlite, async |server| {
        server.start_work().await;
        let me = transcriber(&server).await;
        let text = transcribe(&server, &me, "").await.text();
        assert_welcome(&text);
        let table = transcribe(&server, &me, "output=tsv").await.text();
        let mut lines = table.lines();
        assert_eq!(lines.next(), Some("start\tend\ttext"));
        let texts: Vec<_> = lines.map(|line| line.split('\t').nth(2).unwrap()).collect();
        assert_eq!(texts, text.lines().collect::<Vec<_>>());
        let vtt = transcribe(&server, &me, "output=vtt").await.text();
        assert!(vtt.starts_with("WEBVTT"), "{vtt}");
    });
}

#[test]
fn unusable_requests_are_answered_in_its_form() {
    with_server(Backend::Sqlite, async |server| {
        let me = transcriber(&server).await;
        let wav = speech();
        let file = || File("audio_file", "a.wav", &wav);
        let cases: [(&str, Vec<Part<'_>>, u16, &str); 7] = [
            ("", vec![], 400, "audio_file"),
            ("output=docx", vec![file()], 400, "txt, json, srt"),
            ("encode=perhaps", vec![file()], 400, "true, false"),
            ("task=sing", vec![file()], 400, "transcribe, translate"),
            ("model=whisper-99", vec![file()], 404, "whisper-99"),
            ("language=xx", vec![file()], 400, "language"),
            (
                "diarize=true&min_speakers=many",
                vec![file()],
                400,
                "min_speakers",
            ),
        ];
        for (query, parts, status, detail) in cases {
            let answer = send(&server, &me, &format!("/asr?{query}"), &parts).await;
            assert_eq!(answer.status.as_u16(), status, "{query}");
            let given = answer.json()["detail"].as_str().unwrap().to_owned();
            assert!(given.contains(detail), "{query}: {given}");
        }
        let stranger = server.send(
            axum::http::Request::post("/asr")
                .body(Body::empty())
                .unwrap(),
        );
        let stranger = stranger.await;
        assert_eq!(stranger.status, StatusCode::UNAUTHORIZED);
        assert!(stranger.json()["detail"].is_string());
        assert_eq!(jobs(&server, &me).await.len(), 0);
    });
}
