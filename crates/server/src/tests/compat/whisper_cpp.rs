//! The API of whisper.cpp's server on real speech.

use axum::http::StatusCode;
use serde_json::Value;

use super::support::{
    Part::{Field, File},
    assert_welcome, jobs, send, speech, transcriber,
};
use crate::testing::{Backend, with_server};

#[test]
fn a_recording_is_answered_in_every_format() {
    with_server(Backend::Sqlite, async |server| {
        server.start_work().await;
        let me = transcriber(&server).await;
        let wav = speech();
        let mut answers = Vec::new();
        for format in ["json", "text", "srt", "verbose_json"] {
            let parts = [
                File("file", "a.wav", &wav),
                Field("temperature", "0.0"),
                Field("response_format", format),
                Field("language", "en"),
            ];
            let answer = send(&server, &me, "/inference", &parts).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
            answers.push(answer);
        }
        let text = answers[0].json()["text"].as_str().unwrap().to_owned();
        assert_welcome(&text);
        assert_eq!(answers[1].text(), text);
        assert!(answers[2].text().starts_with("1\n00:00:0"));
        let verbose = answers[3].json();
        assert_eq!(verbose["language"], "english");
        assert_eq!(verbose["detected_language"], "english");
        assert_eq!(verbose["task"], "transcribe");
        let segment = &verbose["segments"][0];
        assert!(segment["end"].is_number() && segment["words"][0]["start"].is_number());

        let parts = [
            File("file", "a.wav", &wav),
            Field("response_format", "verbose_json"),
            Field("no_timestamps", "true"),
        ];
        let answer = send(&server, &me, "/inference", &parts).await.json();
        let segment = &answer["segments"][0];
        assert_eq!(segment["start"], Value::Null);
        assert_eq!(segment["words"][0]["start"], Value::Null);
        assert_eq!(jobs(&server, &me).await.len(), 5);
    });
}

#[test]
fn unusable_requests_are_answered_in_its_form() {
    with_server(Backend::Sqlite, async |server| {
        let me = transcriber(&server).await;
        let wav = speech();
        let file = || File("file", "a.wav", &wav);
        for (parts, expected) in [
            (vec![Field("language", "en")], "file"),
            (vec![file(), Field("offset_t", "500")], "offset_t"),
            (
                vec![file(), Field("response_format", "docx")],
                "verbose_json",
            ),
            (vec![file(), Field("language", "xx")], "language"),
        ] {
            let answer = send(&server, &me, "/inference", &parts).await;
            assert_eq!(answer.status, StatusCode::BAD_REQUEST);
            let error = answer.json()["error"].as_str().unwrap().to_owned();
            assert!(error.contains(expected), "{error}");
        }
        assert_eq!(jobs(&server, &me).await.len(), 0);
    });
}
