//! Deepgram's API on real speech.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::support::{assert_welcome, jobs, left, samples, speech, transcriber};
use crate::testing::{Answer, Backend, TestServer, TestUser, with_server};

async fn listen(server: &TestServer, who: &TestUser, query: &str, body: impl Into<Body>) -> Answer {
    let request = Request::post(format!("/v1/listen?{query}"))
        .header(header::AUTHORIZATION, format!("Token {}", who.access_token))
        .header(header::CONTENT_TYPE, "application/octet-stream")
        .body(body.into());
    server.send(request.unwrap()).await
}

async fn heard(server: &TestServer, who: &TestUser, query: &str) -> Value {
    let query = format!("model=lite&{query}");
    let answer = listen(server, who, &query, speech()).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    answer.json()
}

#[test]
fn options_change_the_answer() {
    with_server(Backend::Sqlite, async |server| {
        server.start_work().await;
        let me = transcriber(&server).await;
        let bare = heard(&server, &me, "").await;
        let first = &bare["results"]["channels"][0]["alternatives"][0];
        let transcript = first["transcript"].as_str().unwrap();
        assert_welcome(transcript);
        assert_eq!(transcript, transcript.to_lowercase());
        assert!(!transcript.contains(['.', ',']), "{transcript}");
        assert_eq!(first["words"][0]["punctuated_word"], Value::Null);
        assert_eq!(first["words"][0]["speaker"], Value::Null);
        assert_eq!(first["paragraphs"], Value::Null);
        assert_eq!(bare["results"]["utterances"], Value::Null);
        let metadata = &bare["metadata"];
        assert_eq!(metadata["channels"], 1);
        assert_eq!(metadata["sha256"], hex::encode(Sha256::digest(speech())));
        let job = jobs(&server, &me).await[0].id.to_string();
        assert_eq!(metadata["request_id"], job);
        let model = metadata["models"][0].as_str().unwrap();
        assert_eq!(metadata["model_info"][model]["arch"], "lite");

        let query = "smart_format=true&utterances=true&detect_language=true\
            &keyterm=Slovo&filler_words=true";
        let full = heard(&server, &me, query).await;
        let channel = &full["results"]["channels"][0];
        assert_eq!(channel["detected_language"], "en");
        let first = &channel["alternatives"][0];
        let transcript = first["transcript"].as_str().unwrap();
        assert!(transcript.ends_with(['.', '!', '?']), "{transcript}");
        assert_eq!(
            first["words"][0]["punctuated_word"],
            transcript.split(' ').next().unwrap()
        );
        let paragraphs = &first["paragraphs"];
        let text = paragraphs["transcript"].as_str().unwrap();
        assert_eq!(text, transcript);
        let counted: u64 = paragraphs["paragraphs"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["num_words"].as_u64().unwrap())
            .sum();
        assert_eq!(counted, first["words"].as_array().unwrap().len() as u64);
        let utterances = full["results"]["utterances"].as_array().unwrap();
        let joined: Vec<_> = utterances
            .iter()
            .map(|it| it["transcript"].as_str().unwrap())
            .collect();
        assert_eq!(joined.join(" "), transcript);
    });
}

#[test]
fn samples_without_a_header_are_recognised() {
    with_server(Backend::Sqlite, async |server| {
        server.start_work().await;
        let me = transcriber(&server).await;
        let query = "model=lite&encoding=linear16&sample_rate=16000";
        let answer = listen(&server, &me, query, samples()).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        let answer = answer.json();
        assert_welcome(
            answer["results"]["channels"][0]["alternatives"][0]["transcript"]
                .as_str()
                .unwrap(),
        );
    });
}

#[test]
fn unusable_requests_are_answered_in_its_form_and_leave_nothing() {
    with_server(Backend::Sqlite, async |server| {
        let me = transcriber(&server).await;
        for (query, body, expected) in [
            ("redact=pci", speech(), "redact is not supported."),
            ("model=gpt-9", speech(), "No such model: gpt-9"),
            ("language=xx", speech(), "language"),
            ("diarize=perhaps", speech(), "diarize"),
            ("", b"not a recording ".repeat(64), "content refused"),
            ("", Vec::new(), "empty"),
        ] {
            let answer = listen(&server, &me, query, body).await;
            assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{query}");
            let error = answer.json();
            assert_eq!(error["err_code"], "Bad Request");
            let message = error["err_msg"].as_str().unwrap();
            assert!(message.contains(expected), "{message}");
            assert_eq!(error["request_id"], answer.header("dg-request-id"));
        }
        let stranger = Request::post("/v1/listen").header(header::AUTHORIZATION, "Token wrong");
        let answer = server.send(stranger.body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
        assert_eq!(answer.json()["err_code"], "INVALID_AUTH");
        assert_eq!(left(&server, &me).await, (0, 0));
    });
}

/// Addresses are fetched with the same limits as those of the page: not in this network.
#[test]
fn an_address_is_fetched_unless_it_is_of_this_network() {
    with_server(Backend::Sqlite, async |server| {
        let me = transcriber(&server).await;
        for (body, expected) in [
            (json!({"url": "http://127.0.0.1/a.wav"}).to_string(), "url"),
            (json!({"url": "file:///etc/passwd"}).to_string(), "url"),
            (json!({"address": "https://example.com"}).to_string(), "url"),
            ("{".to_owned(), "url"),
        ] {
            let request = Request::post("/v1/listen")
                .header(header::AUTHORIZATION, format!("Token {}", me.access_token))
                .header(header::CONTENT_TYPE, "application/json")
                .body(Body::from(body.clone()));
            let answer = server.send(request.unwrap()).await;
            assert!(answer.status.is_client_error(), "{body}");
            let error = answer.json()["err_msg"].as_str().unwrap().to_lowercase();
            assert!(error.contains(expected), "{body}: {error}");
        }
        assert_eq!(left(&server, &me).await, (0, 0));
    });
}
