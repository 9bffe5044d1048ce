//! Endpoints that are slow, break off, answer nonsense or refuse: each leads to the right error in
//! bounded time, and no error contains the key.

use std::convert::Infallible;
use std::io;

use axum::body::{Body, Bytes};
use futures_util::{StreamExt, stream};
use serde_json::json;
use slovo_analysis::chat::{Chat, Endpoint};
use slovo_analysis::{AnalysisError, Analyst, Task};
use slovo_rules::analysis::Outcome;

use crate::server::{
    KEY, RUNTIME, Reply, Server, Stopped, Waits, chat, event, impatient, prompt, run, status,
    streamed, text, text_stream, with,
};

const SSE: (&str, &str) = ("content-type", "text/event-stream");

/// Asks an endpoint that always answers the same; returns the error and the number of requests.
fn error_of(
    change: impl FnOnce(&mut Endpoint),
    reply: impl Fn() -> Reply + Send + Sync + 'static,
) -> (AnalysisError, usize) {
    let server = Server::start(move |_, _| reply());
    let (chat, _) = chat(&server, change);
    let error = chat
        .run(&text(&["Hello."]), &prompt(), &Stopped(false), &mut |_| {})
        .unwrap_err();
    for output in [format!("{error}"), format!("{error:?}")] {
        assert!(
            !output.contains(KEY) && !output.contains("Hello"),
            "{output}"
        );
    }
    (error, server.requests().len())
}

fn markdown(outcome: Outcome) -> String {
    match outcome {
        Outcome::Prompt(answer) => answer.markdown,
        other => panic!("{other:?}"),
    }
}

fn answer_of(reply: impl Fn(usize) -> Reply + Send + Sync + 'static) -> String {
    let server = Server::start(move |nth, _| reply(nth));
    markdown(run(&server, &text(&["Hello."]), &prompt()).unwrap())
}

#[test]
fn an_endpoint_that_never_answers_is_unreachable() {
    let (error, requests) = error_of(impatient, || Reply::Never);
    assert!(matches!(error, AnalysisError::Unreachable(_)), "{error:?}");
    assert_eq!(requests, 2);
}

#[test]
fn a_stream_that_stalls_is_unreachable() {
    let (error, requests) = error_of(impatient, || {
        let first = stream::iter([Ok::<_, Infallible>(event("Hel", None))]);
        Reply::Now(streamed(first.chain(stream::pending())))
    });
    assert!(matches!(error, AnalysisError::Unreachable(_)), "{error:?}");
    assert_eq!(requests, 2);
}

#[test]
fn a_broken_off_stream_is_retried_with_growing_pauses() {
    let server = Server::start(|nth, _| match nth {
        // Within an event, between two events, and without an end marker.
        0 => Reply::Now(streamed(stream::iter([
            Ok(event("a", None)),
            Ok("data: {\"cho".to_owned()),
            Err(io::Error::other("gone")),
        ]))),
        1 => with(200, &[SSE], event("a", None)),
        2 => with(200, &[SSE], ""),
        _ => Reply::Now(text_stream("whole")),
    });
    let (chat, waits) = chat(&server, |_| {});
    let outcome = chat.run(&text(&["x"]), &prompt(), &Stopped(false), &mut |_| {});
    assert_eq!(markdown(outcome.unwrap()), "whole");
    assert_eq!(waits.seconds(), [1.0, 2.0, 4.0]);
}

#[test]
fn malformed_responses_are_bad_answers() {
    let bodies: [&'static [u8]; 5] = [
        b"data: {not json}\n\n",
        b"data: \xff\xfe\xfd\n\n",
        b"<html>hello</html>",
        b"data: {\"choices\":[{\"delta\":{\"content\":7}}]}\n\n",
        b"data: {\"choices\":\"none\"}\n\n",
    ];
    for body in bodies {
        let (error, requests) = error_of(|_| {}, move || with(200, &[SSE], body));
        assert!(matches!(error, AnalysisError::BadAnswer(_)), "{error:?}");
        assert_eq!(requests, 4);
    }
}

#[test]
fn an_answer_of_the_wrong_shape_is_requested_again_with_the_reason() {
    for wrong in [
        r#"{"sentences":"none"}"#,
        r#"{"text":"a"}"#,
        r#"{"sentences":[]}"#,
        "sorry",
    ] {
        let server = Server::model(move |_| wrong.to_owned());
        let error = run(&server, &text(&["Hello."]), &Task::Summary { words: 5 }).unwrap_err();
        assert_eq!(error.code(), "analysis_bad_answer");
        let requests = server.requests();
        assert_eq!(requests.len(), 3);
        assert!(!requests[0].message(0).contains("could not be used"));
        assert!(requests[2].message(0).contains("could not be used"));
    }
}

#[test]
fn a_retry_after_header_sets_the_pause() {
    for (retry_after, pause) in [
        ("7", 7.0),
        ("Sun, 01 Mar 2026 12:00:09 GMT", 9.0),
        ("0", 1.0),
    ] {
        let server = Server::start(move |nth, _| match nth {
            0 => with(429, &[("retry-after", retry_after)], ""),
            _ => Reply::Now(text_stream("ok")),
        });
        let (chat, waits) = chat(&server, |_| {});
        let outcome = chat.run(&text(&["x"]), &prompt(), &Stopped(false), &mut |_| {});
        assert_eq!(markdown(outcome.unwrap()), "ok");
        assert_eq!(waits.seconds(), [pause]);
    }
}

#[test]
fn a_long_retry_after_is_reported_as_busy_at_once() {
    let (error, requests) = error_of(|_| {}, || with(429, &[("retry-after", "3600")], ""));
    let AnalysisError::Busy { retry_after } = error else {
        panic!("{error:?}");
    };
    assert_eq!((retry_after.unwrap().as_secs(), requests), (3600, 1));
    let (error, requests) = error_of(|_| {}, || status(429));
    assert!(matches!(error, AnalysisError::Busy { retry_after: None }));
    assert_eq!(requests, 4);
}

#[test]
fn server_errors_are_retried_a_limited_number_of_times() {
    let answer = answer_of(|nth| match nth {
        0 => status(500),
        1 => status(503),
        _ => Reply::Now(text_stream("good")),
    });
    assert_eq!(answer, "good");
    let (error, requests) = error_of(|_| {}, || status(502));
    assert!(error.is_transient() && matches!(error, AnalysisError::Unreachable(_)));
    assert_eq!(requests, 4);
}

#[test]
fn a_refusal_is_not_retried() {
    for code in [401, 402, 403, 404, 413] {
        let message = format!("wrong key {KEY}: Hello");
        let (error, requests) = error_of(|_| {}, move || with(code, &[], message.clone()));
        assert!(matches!(error, AnalysisError::Refused { status } if status == code));
        assert_eq!(requests, 1);
    }
}

#[test]
fn a_redirect_is_not_followed() {
    let other = Server::model(|_| "stolen".to_owned());
    let target = format!("{}/chat/completions", other.base);
    for code in [301, 302, 307, 308] {
        let target = target.clone();
        let reply = move || with(code, &[("location", target.as_str())], "");
        let (error, requests) = error_of(|_| {}, reply);
        assert!(matches!(error, AnalysisError::Refused { status } if status == code));
        assert_eq!(requests, 1);
    }
    assert!(other.requests().is_empty());
}

#[test]
fn an_endless_answer_is_stopped_by_the_size_limits() {
    let small = |endpoint: &mut Endpoint| {
        endpoint.limits.wire_bytes = 100_000;
        endpoint.limits.text_bytes = 10_000;
    };
    let endless = |piece: Bytes| {
        let pieces = stream::repeat_with(move || Ok::<_, Infallible>(piece.clone()));
        Reply::Now(streamed(pieces))
    };
    for piece in [
        event(&"a".repeat(500), None),
        "a".repeat(999),
        ": ping\n\n".repeat(9),
    ] {
        let (error, requests) = error_of(small, move || endless(Bytes::from(piece.clone())));
        assert!(matches!(error, AnalysisError::BadAnswer(_)), "{error:?}");
        assert_eq!(requests, 1);
    }
}

#[test]
fn a_compressed_response_is_refused() {
    let (error, requests) = error_of(
        |_| {},
        || {
            with(
                200,
                &[SSE, ("content-encoding", "gzip")],
                vec![0x1f, 0x8b, 8, 0],
            )
        },
    );
    assert!(matches!(error, AnalysisError::BadAnswer(_)), "{error:?}");
    assert_eq!(requests, 1);
}

#[test]
fn odd_line_endings_and_comments_in_a_stream_are_accepted() {
    let body = format!(": ping\r\n\r\nevent: x\r{}", event("Один ", None));
    let body = body.replace("\n\n", "\r\r") + ":\n\n" + &event("два", Some("stop"));
    let bytes = body.into_bytes();
    let answer = answer_of(move |_| {
        let pieces: Vec<_> = bytes
            .iter()
            .map(|byte| Ok::<_, Infallible>(vec![*byte]))
            .collect();
        Reply::Now(streamed(stream::iter(pieces)))
    });
    assert_eq!(answer, "Один два");
}

#[test]
fn an_answer_without_streaming_is_accepted() {
    let answer = answer_of(|_| {
        let body = json!({ "choices": [{
            "message": { "role": "assistant", "content": "whole" }, "finish_reason": "stop",
        }] });
        with(
            200,
            &[("content-type", "application/json")],
            body.to_string(),
        )
    });
    assert_eq!(answer, "whole");
}

#[test]
fn an_answer_cut_off_by_its_token_limit_is_a_bad_answer() {
    let (error, requests) = error_of(
        |_| {},
        || with(200, &[SSE], event("half of", Some("length"))),
    );
    assert!(matches!(error, AnalysisError::BadAnswer(_)), "{error:?}");
    assert_eq!(requests, 3);
}

#[test]
fn an_error_event_in_a_stream_is_an_error() {
    let body = "data: {\"error\":{\"message\":\"slot\",\"code\":500}}\n\n";
    let (error, _) = error_of(|_| {}, move || with(200, &[SSE], body));
    assert!(matches!(error, AnalysisError::Unreachable(_)), "{error:?}");
}

#[test]
fn a_closed_port_is_unreachable() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let endpoint = Endpoint::new(&base, "m", None, 4096).unwrap();
    let pace = std::sync::Arc::new(Waits::default());
    let chat = Chat::new(endpoint, pace, RUNTIME.handle().clone()).unwrap();
    let error = chat.run(&text(&["x"]), &prompt(), &Stopped(false), &mut |_| {});
    assert!(matches!(error, Err(AnalysisError::Unreachable(_))));
}

#[test]
fn a_stop_ends_a_waiting_request() {
    let server = Server::start(|_, _| Reply::Never);
    let (chat, _) = chat(&server, |_| {});
    let error = chat.run(&text(&["x"]), &prompt(), &Stopped(true), &mut |_| {});
    assert!(matches!(error, Err(AnalysisError::Stopped)));
}

#[test]
fn the_key_is_sent_only_in_its_header() {
    let server = Server::model(|_| "ok".to_owned());
    run(&server, &text(&["Hello."]), &prompt()).unwrap();
    let request = server.requests().remove(0);
    assert_eq!(request.headers["authorization"], format!("Bearer {KEY}"));
    assert!(!request.body.to_string().contains(KEY));
    let mut others = request
        .headers
        .iter()
        .filter(|(name, _)| *name != "authorization");
    assert!(others.all(|(_, value)| !value.to_str().unwrap().contains(KEY)));
}

#[test]
fn unsupported_fields_are_dropped_and_not_sent_again() {
    let server = Server::start(|_, request| {
        let has = |field: &str| request.body.get(field).is_some();
        if has("max_tokens") {
            let message = "Use 'max_completion_tokens' instead of 'max_tokens'.";
            return with(400, &[], Body::from(message));
        }
        if has("response_format") {
            return with(400, &[], "unknown field response_format");
        }
        Reply::Now(text_stream(
            r#"```json
{"sentences":[{"text":"They greet.","segments":[1]}]}
```"#,
        ))
    });
    let (chat, _) = chat(&server, |_| {});
    let summary = |words| {
        let task = Task::Summary { words };
        chat.run(
            &text(&["Hello there."]),
            &task,
            &Stopped(false),
            &mut |_| {},
        )
    };
    summary(2).unwrap();
    let requests = server.requests();
    assert_eq!(requests.len(), 4);
    assert!(requests[3].message(0).contains("JSON schema"));
    assert_eq!(requests[2].body["response_format"]["type"], "json_object");
    summary(2).unwrap();
    assert_eq!(
        server.requests().len(),
        5,
        "it is not tried again each time"
    );
}

#[test]
fn an_endpoint_that_refuses_every_format_ends_the_task() {
    let server = Server::start(|_, _| with(400, &[], "no such model"));
    let task = Task::Summary { words: 5 };
    let error = run(&server, &text(&["Hello."]), &task).unwrap_err();
    assert!(matches!(error, AnalysisError::Refused { status: 400 }));
    assert_eq!(server.requests().len(), 3);
}
