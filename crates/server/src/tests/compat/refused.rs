//! Requests that are refused: the client gets an error in its form, and nothing is left over.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, Method, Request, StatusCode};
use futures_util::stream;
use serde_json::{Value, json};
use slovo_rules::plan::DemoPlan;
use slovo_work::speech_endpoint::RELAYED;

use super::support::{
    Part::{self, Field, File},
    TRANSCRIPTIONS, form, left, request, send, speech, transcriber,
};
use crate::testing::{
    Answer, Backend, TIMEOUT, TestServer, TestUser, apply, each_database, with_server,
};
use crate::tests::api::jobs::default_languages::set_server;
use crate::tests::api::me::api_keys::program;
use crate::tests::api::me::support::send_json;

/// The error's status, code and field.
fn error(answer: &Answer) -> (u16, String, Option<String>) {
    let body = answer.json();
    let error = &body["error"];
    assert!(!error["message"].as_str().unwrap().is_empty(), "{body}");
    assert!(!error["type"].as_str().unwrap().is_empty(), "{body}");
    (
        answer.status.as_u16(),
        error["code"].as_str().unwrap().to_owned(),
        error["param"].as_str().map(str::to_owned),
    )
}

/// Waits until the account has neither jobs nor uploads.
async fn assert_nothing_left(server: &TestServer, who: &TestUser) {
    let removed = async {
        while left(server, who).await != (0, 0) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let waited = tokio::time::timeout(TIMEOUT, removed).await;
    waited.expect("an upload or a job is left");
}

#[apply(each_database!)]
fn every_unusable_field_is_named_and_nothing_is_left(backend: Backend) {
    with_server(backend, async |server| {
        let me = transcriber(&server).await;
        let wav = speech();
        let file = || File("file", "../../etc/pas\u{202e}swd.wav", &wav);
        let model = || Field("model", "whisper-1");
        let diarized = || Field("response_format", "diarized_json");
        let junk = b"not a recording ".repeat(64);
        let long = "x".repeat(1024 * 1024);
        type Expected<'a> = (u16, &'a str, Option<&'a str>);
        let cases: Vec<(Vec<Part<'_>>, Expected<'_>)> = vec![
            (
                vec![model()],
                (400, "missing_required_parameter", Some("file")),
            ),
            (
                vec![file()],
                (400, "missing_required_parameter", Some("model")),
            ),
            (
                vec![file(), Field("model", "tts-1")],
                (400, "model_not_found", Some("model")),
            ),
            (
                vec![file(), model(), file()],
                (400, "unreadable_body", None),
            ),
            (
                vec![model(), File("file", "a.wav", &junk)],
                (400, "content_refused", Some("file")),
            ),
            (
                vec![model(), File("file", "a.wav", b"")],
                (400, "file_empty", Some("file")),
            ),
            (
                vec![file(), model(), Field("prompt", &long)],
                (413, "body_too_large", None),
            ),
            (
                vec![file(), model(), Field("language", "xx")],
                (400, "language_unsupported", Some("language")),
            ),
            (
                vec![file(), Field("model", "lite"), Field("language", "uk")],
                (400, "lite_only_english", Some("language")),
            ),
            (
                vec![file(), model(), Field("temperature", "2")],
                (400, "invalid_value", Some("temperature")),
            ),
            (
                vec![file(), model(), Field("temperature", "NaN")],
                (400, "invalid_value", Some("temperature")),
            ),
            (
                vec![file(), model(), Field("response_format", "xml")],
                (400, "invalid_value", Some("response_format")),
            ),
            (
                vec![file(), model(), Field("stream", "perhaps")],
                (400, "invalid_value", Some("stream")),
            ),
            (
                vec![file(), model(), Field("timestamp_granularities[]", "word")],
                (400, "invalid_value", Some("timestamp_granularities")),
            ),
            (
                vec![file(), model(), Field("include[0]", "everything")],
                (400, "invalid_value", Some("include")),
            ),
            (
                vec![file(), model(), Field("chunking_strategy", "{\"type\":1}")],
                (400, "invalid_value", Some("chunking_strategy")),
            ),
            (
                vec![file(), model(), Field("known_speaker_names[]", "A")],
                (400, "invalid_value", Some("known_speaker_names")),
            ),
            (
                vec![
                    file(),
                    model(),
                    diarized(),
                    Field("known_speaker_names[]", "A"),
                ],
                (400, "invalid_value", Some("known_speaker_references")),
            ),
            (
                vec![
                    file(),
                    model(),
                    diarized(),
                    Field("known_speaker_names[]", "A"),
                    Field(
                        "known_speaker_references[]",
                        "data:audio/wav;base64,UklGRg==",
                    ),
                ],
                (400, "content_refused", Some("known_speaker_references")),
            ),
        ];
        for (parts, (status, code, param)) in cases {
            // Stays below the limit of requests.
            server.clock.advance_seconds(2);
            let answer = send(&server, &me, TRANSCRIPTIONS, &parts);
            let answer = tokio::time::timeout(TIMEOUT, answer).await.unwrap();
            let expected = (status, code.to_owned(), param.map(str::to_owned));
            assert_eq!(error(&answer), expected, "{}", answer.text());
            assert_nothing_left(&server, &me).await;
        }
    });
}

#[apply(each_database!)]
fn a_form_that_breaks_off_leaves_nothing(backend: Backend) {
    with_server(backend, async |server| {
        let me = transcriber(&server).await;
        let wav = speech();
        let whole = form(&[Field("model", "lite"), File("file", "a.wav", &wav)]);
        for length in [10, 120, 400, whole.len() / 2, whole.len() - 30] {
            let body = Body::from(whole[..length].to_vec());
            let answer = server
                .send(request(&server, &me, TRANSCRIPTIONS, body))
                .await;
            assert_eq!(error(&answer).1, "unreadable_body", "{length}");
            assert_nothing_left(&server, &me).await;
            // The connection breaks.
            let pieces = [Ok(Bytes::from(whole[..length].to_vec())), Err("reset")];
            let body = Body::from_stream(stream::iter(pieces));
            let answer = server
                .send(request(&server, &me, TRANSCRIPTIONS, body))
                .await;
            assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{}", answer.text());
            assert_nothing_left(&server, &me).await;
        }
        let json = server.post_as(&me, TRANSCRIPTIONS, &Value::Null).await;
        assert_eq!(error(&json).1, "unsupported_media_type");
    });
}

#[apply(each_database!)]
fn a_client_that_goes_away_while_it_sends_leaves_nothing(backend: Backend) {
    with_server(backend, async |server| {
        let me = transcriber(&server).await;
        let wav = speech();
        let whole = form(&[Field("model", "lite"), File("file", "a.wav", &wav)]);
        let first = Bytes::from(whole[..whole.len() / 2].to_vec());
        let pieces = stream::unfold(Some(first), async |piece| match piece {
            Some(bytes) => Some((Ok::<_, std::io::Error>(bytes), None)),
            None => std::future::pending().await,
        });
        let body = Body::from_stream(pieces);
        let sending = server.send(request(&server, &me, TRANSCRIPTIONS, body));
        let begun = async {
            while left(&server, &me).await != (0, 1) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::select! {
            answer = sending => panic!("{}", answer.text()),
            found = tokio::time::timeout(TIMEOUT, begun) => found.unwrap(),
        }
        assert_nothing_left(&server, &me).await;
    });
}

#[apply(each_database!)]
fn keys_scopes_and_plans_are_checked_before_anything_is_stored(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let (reader, _) = program(&server, &me, &["read"]).await;
        let (transcriber, _) = program(&server, &me, &["transcribe"]).await;
        let wav = speech();
        let parts = || [Field("model", "lite"), File("file", "a.wav", &wav)];
        let answer = send(&server, &reader, TRANSCRIPTIONS, &parts()).await;
        assert_eq!(error(&answer), (403, "scope_missing".to_owned(), None));
        let nobody = TestUser {
            access_token: "sk-something".to_owned(),
            ..me.clone()
        };
        let answer = send(&server, &nobody, TRANSCRIPTIONS, &parts()).await;
        assert_eq!(error(&answer), (401, "invalid_api_key".to_owned(), None));
        assert_eq!(answer.header("www-authenticate"), "Bearer");
        let anonymous = Request::get("/v1/models").body(Body::empty()).unwrap();
        let answer = server.send(anonymous).await;
        assert_eq!(error(&answer).1, "invalid_api_key");

        let mut transaction = server.state.db.write().await.unwrap();
        let demo = DemoPlan {
            features: vec![slovo_rules::plan::PlanFeature::Api],
            monthly_minutes_limit: Some(0.0),
            ..DemoPlan::for_paid_service()
        };
        slovo_db::site::server_settings::set(
            &mut transaction,
            slovo_db::plans::ledger::DEMO,
            &demo,
            5,
        )
        .await
        .unwrap();
        transaction.commit().await.unwrap();
        let diarized = [
            Field("model", "gpt-4o-transcribe-diarize"),
            File("file", "a.wav", &wav),
        ];
        let answer = send(&server, &transcriber, TRANSCRIPTIONS, &diarized).await;
        assert_eq!(error(&answer).0, 403);
        assert_eq!(error(&answer).1, "feature_not_in_plan");
        let subtitles = [
            Field("model", "lite"),
            Field("response_format", "srt"),
            File("file", "a.wav", &wav),
        ];
        let answer = send(&server, &transcriber, TRANSCRIPTIONS, &subtitles).await;
        // SRT may be among the formats of every plan; its minutes are not.
        assert!(["format_not_in_plan", "insufficient_quota"].contains(&error(&answer).1.as_str()));
        let answer = send(&server, &transcriber, TRANSCRIPTIONS, &parts()).await;
        let (status, code, _) = error(&answer);
        assert_eq!((status, code.as_str()), (429, "insufficient_quota"));
        assert_nothing_left(&server, &me).await;
    });
}

#[apply(each_database!)]
fn unknown_addresses_are_errors_in_their_form(backend: Backend) {
    with_server(backend, async |server| {
        for (method, path) in [
            (Method::GET, "/v1"),
            (Method::POST, "/v1/chat/completions"),
            (Method::DELETE, "/v1/models/a/b/c"),
        ] {
            let request = Request::builder().method(method).uri(path);
            let answer = server.send(request.body(Body::empty()).unwrap()).await;
            assert_eq!(
                error(&answer),
                (404, "unknown_url".to_owned(), None),
                "{path}"
            );
            assert!(!answer.header("x-request-id").is_empty());
        }
    });
}

#[apply(each_database!)]
fn a_server_does_not_send_on_what_another_one_sends(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let (program, _) = program(&server, &admin, &["transcribe"]).await;
        let send = async |relayed: bool| {
            let body = form(&[Field("model", "whisper-1")]);
            let mut request = request(&server, &program, TRANSCRIPTIONS, Body::from(body));
            if relayed {
                let headers = request.headers_mut();
                headers.insert(RELAYED, HeaderValue::from_static("1"));
            }
            let answer = server.send(request).await;
            assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{}", answer.text());
            answer.json()["error"]["code"].clone()
        };
        // Without an endpoint of its own, only the file is missing.
        assert_eq!(send(true).await, "missing_required_parameter");
        let path = "/api/v1/admin/speech-endpoint";
        let endpoint = json!({"url": "http://10.0.0.7/v1", "model": "large"});
        let set = send_json(&server, &admin, Method::PUT, path, &endpoint).await;
        assert_eq!(set.status, StatusCode::OK, "{}", set.text());
        assert_eq!(send(true).await, "speech_endpoint_loop");
        assert_eq!(send(false).await, "missing_required_parameter");
        // The languages of a job that names none are the server's.
        let endpoint = json!({"url": "http://10.0.0.7/v1", "model": "large", "languages": ["uk"]});
        let set = send_json(&server, &admin, Method::PUT, path, &endpoint).await;
        assert_eq!(set.status, StatusCode::OK, "{}", set.text());
        assert_eq!(send(true).await, "missing_required_parameter");
        set_server(&server, &admin, json!(["uk"])).await;
        assert_eq!(send(true).await, "speech_endpoint_loop");
    });
}
