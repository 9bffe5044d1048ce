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
    KEY, RUNTIME, Reply, Server, Stopped, Waits, chat, done, event, impatient, prompt, said,
    status, streamed, text, with,
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
    for shown in [format!("{error}"), format!("{error:?}")] {
        assert!(!shown.contains(KEY) && !shown.contains("Hello"), "{shown}");
    }
    (error, server.seen().len())
}

fn markdown(outcome: Outcome) -> String {
    match outcome {
        Outcome::Prompt(answer) => answer.markdown,
        other => panic!("{other:?}"),
    }
}

fn answer_of(reply: impl Fn(usize) -> Reply + Send + Sync + 'static) -> String {
    let server = Server::start(move |nth, _| reply(nth));
    markdown(done(&server, &text(&["Hello."]), &prompt()).unwrap())
}

#[test]
fn an_endpoint_that_never_answers_is_unreachable() {
    let (error, asked) = error_of(impatient, || Reply::Never);
    assert!(matches!(error, AnalysisError::Unreachable(_)), "{error:?}");
    assert_eq!(asked, 2);
}

#[test]
fn a_stream_that_stalls_is_unreachable() {
    let (error, asked) = error_of(impatient, || {
        let first = stream::iter([Ok::<_, Infallible>(event("Hel", None))]);
        Reply::Now(streamed(first.chain(stream::pending())))
    });
    assert!(matches!(error, AnalysisError::Unreachable(_)), "{error:?}");
    assert_eq!(asked, 2);
}

#[test]
fn a_stream_that_breaks_off_is_tried_again_with_growing_pauses() {
    let server = Server::start(|nth, _| match nth {
        // Within an event, between two events, and without an end marker.
        0 => Reply::Now(streamed(stream::iter([
            Ok(event("a", None)),
            Ok("data: {\"cho".to_owned()),
            Err(io::Error::other("gone")),
        ]))),
        1 => with(200, &[SSE], event("a", None)),
        2 => with(200, &[SSE], ""),
        _ => Reply::Now(said("whole")),
    });
    let (chat, waits) = chat(&server, |_| {});
    let outcome = chat.run(&text(&["x"]), &prompt(), &Stopped(false), &mut |_| {});
    assert_eq!(markdown(outcome.unwrap()), "whole");
    assert_eq!(waits.seconds(), [1.0, 2.0, 4.0]);
}

#[test]
fn nonsense_is_a_bad_answer() {
    let bodies: [&'static [u8]; 5] = [
        b"data: {not json}\n\n",
        b"data: \xff\xfe\xfd\n\n",
        b"<html>hello</html>",
        b"data: {\"choices\":[{\"delta\":{\"content\":7}}]}\n\n",
        b"data: {\"choices\":\"none\"}\n\n",
    ];
    for body in bodies {
        let (error, asked) = error_of(|_| {}, move || with(200, &[SSE], body));
        assert!(matches!(error, AnalysisError::BadAnswer(_)), "{error:?}");
        assert_eq!(asked, 4);
    }
}

#[test]
fn an_answer_of_the_wrong_shape_is_asked_for_again_with_the_reason() {
    for wrong in [
        r#"{"sentences":"none"}"#,
        r#"{"text":"a"}"#,
        r#"{"sentences":[]}"#,
        "sorry",
    ] {
        let server = Server::model(move |_| wrong.to_owned());
        let error = done(&server, &text(&["Hello."]), &Task::Summary { words: 5 }).unwrap_err();
        assert_eq!(error.code(), "analysis_bad_answer");
        let seen = server.seen();
        assert_eq!(seen.len(), 3);
        assert!(!seen[0].message(0).contains("could not be used"));
        assert!(seen[2].message(0).contains("could not be used"));
    }
}

#[test]
fn the_endpoint_says_when_to_come_again() {
    for (asked, waited) in [
        ("7", 7.0),
        ("Sun, 01 Mar 2026 12:00:09 GMT", 9.0),
        ("0", 1.0),
    ] {
        let server = Server::start(move |nth, _| match nth {
            0 => with(429, &[("retry-after", asked)], ""),
            _ => Reply::Now(said("ok")),
        });
        let (chat, waits) = chat(&server, |_| {});
        let outcome = chat.run(&text(&["x"]), &prompt(), &Stopped(false), &mut |_| {});
        assert_eq!(markdown(outcome.unwrap()), "ok");
        assert_eq!(waits.seconds(), [waited]);
    }
}

#[test]
fn an_endpoint_that_asks_for_an_hour_is_busy_at_once() {
    let (error, asked) = error_of(|_| {}, || with(429, &[("retry-after", "3600")], ""));
    let AnalysisError::Busy { retry_after } = error else {
        panic!("{error:?}");
    };
    assert_eq!((retry_after.unwrap().as_secs(), asked), (3600, 1));
    let (error, asked) = error_of(|_| {}, || status(429));
    assert!(matches!(error, AnalysisError::Busy { retry_after: None }));
    assert_eq!(asked, 4);
}

#[test]
fn two_failures_and_a_good_answer_are_an_answer() {
    let answer = answer_of(|nth| match nth {
        0 => status(500),
        1 => status(503),
        _ => Reply::Now(said("good")),
    });
    assert_eq!(answer, "good");
    let (error, asked) = error_of(|_| {}, || status(502));
    assert!(error.is_passing() && matches!(error, AnalysisError::Unreachable(_)));
    assert_eq!(asked, 4);
}

#[test]
fn a_refusal_is_final() {
    for code in [401, 402, 403, 404, 413] {
        let says = format!("wrong key {KEY}: Hello");
        let (error, asked) = error_of(|_| {}, move || with(code, &[], says.clone()));
        assert!(matches!(error, AnalysisError::Refused { status } if status == code));
        assert_eq!(asked, 1);
    }
}

#[test]
fn a_redirect_is_not_followed() {
    let other = Server::model(|_| "stolen".to_owned());
    let target = format!("{}/chat/completions", other.base);
    for code in [301, 302, 307, 308] {
        let target = target.clone();
        let reply = move || with(code, &[("location", target.as_str())], "");
        let (error, asked) = error_of(|_| {}, reply);
        assert!(matches!(error, AnalysisError::Refused { status } if status == code));
        assert_eq!(asked, 1);
    }
    assert!(other.seen().is_empty());
}

#[test]
fn an_endless_answer_ends() {
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
        let (error, asked) = error_of(small, move || endless(Bytes::from(piece.clone())));
        assert!(matches!(error, AnalysisError::BadAnswer(_)), "{error:?}");
        assert_eq!(asked, 1);
    }
}

#[test]
fn what_is_compressed_is_not_unfolded() {
    let (error, asked) = error_of(
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
    assert_eq!(asked, 1);
}

#[test]
fn odd_lines_and_comments_are_a_stream_too() {
    let whole = format!(": ping\r\n\r\nevent: x\r{}", event("Один ", None));
    let whole = whole.replace("\n\n", "\r\r") + ":\n\n" + &event("два", Some("stop"));
    let bytes = whole.into_bytes();
    let answer = answer_of(move |_| {
        let torn: Vec<_> = bytes
            .iter()
            .map(|byte| Ok::<_, Infallible>(vec![*byte]))
            .collect();
        Reply::Now(streamed(stream::iter(torn)))
    });
    assert_eq!(answer, "Один два");
}

#[test]
fn an_endpoint_need_not_stream() {
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
fn an_answer_that_ends_where_its_tokens_do_is_no_answer() {
    let (error, asked) = error_of(
        |_| {},
        || with(200, &[SSE], event("half of", Some("length"))),
    );
    assert!(matches!(error, AnalysisError::BadAnswer(_)), "{error:?}");
    assert_eq!(asked, 3);
}

#[test]
fn an_error_inside_the_stream_is_one() {
    let says = "data: {\"error\":{\"message\":\"slot\",\"code\":500}}\n\n";
    let (error, _) = error_of(|_| {}, move || with(200, &[SSE], says));
    assert!(matches!(error, AnalysisError::Unreachable(_)), "{error:?}");
}

#[test]
fn nobody_there_is_unreachable() {
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
fn a_stop_ends_what_waits() {
    let server = Server::start(|_, _| Reply::Never);
    let (chat, _) = chat(&server, |_| {});
    let error = chat.run(&text(&["x"]), &prompt(), &Stopped(true), &mut |_| {});
    assert!(matches!(error, Err(AnalysisError::Stopped)));
}

#[test]
fn the_key_is_in_its_header_and_nowhere_else() {
    let server = Server::model(|_| "ok".to_owned());
    done(&server, &text(&["Hello."]), &prompt()).unwrap();
    let seen = server.seen().remove(0);
    assert_eq!(seen.headers["authorization"], format!("Bearer {KEY}"));
    assert!(!seen.body.to_string().contains(KEY));
    let mut others = seen
        .headers
        .iter()
        .filter(|(name, _)| *name != "authorization");
    assert!(others.all(|(_, value)| !value.to_str().unwrap().contains(KEY)));
}

#[test]
fn what_an_endpoint_does_not_understand_is_left_out_and_remembered() {
    let server = Server::start(|_, seen| {
        let asks = |field: &str| seen.body.get(field).is_some();
        if asks("max_tokens") {
            let says = "Use 'max_completion_tokens' instead of 'max_tokens'.";
            return with(400, &[], Body::from(says));
        }
        if asks("response_format") {
            return with(400, &[], "unknown field response_format");
        }
        Reply::Now(said(
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
    let seen = server.seen();
    assert_eq!(seen.len(), 4);
    assert!(seen[3].message(0).contains("JSON schema"));
    assert_eq!(seen[2].body["response_format"]["type"], "json_object");
    summary(2).unwrap();
    assert_eq!(server.seen().len(), 5, "it is not tried again each time");
}

#[test]
fn an_endpoint_that_understands_nothing_refuses() {
    let server = Server::start(|_, _| with(400, &[], "no such model"));
    let task = Task::Summary { words: 5 };
    let error = done(&server, &text(&["Hello."]), &task).unwrap_err();
    assert!(matches!(error, AnalysisError::Refused { status: 400 }));
    assert_eq!(server.seen().len(), 3);
}
