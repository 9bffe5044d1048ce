//! The limit of event streams per user.

use axum::body::Body;
use axum::http::{Method, StatusCode};
use slovo_test_media::prompts::WELCOME;
use slovo_work::jobs::open_streams::MAX_STREAMS;

use super::support::{make_job, path};
use crate::testing::{Backend, apply, each_database, with_server};

#[apply(each_database!)]
fn event_streams_per_user_are_limited(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let wav = std::fs::read(WELCOME.path()).unwrap();
        let events = path(&make_job(&server, &me, "a.wav", &wav).await) + "/events";
        let request = || {
            let request = server.request(Method::GET, &events, &me);
            request.body(Body::empty()).unwrap()
        };
        let mut open = Vec::new();
        for _ in 0..MAX_STREAMS {
            let response = server.open(request()).await;
            assert_eq!(response.status(), StatusCode::OK);
            open.push(response);
        }
        let refused = server.send(request()).await;
        refused.is_problem(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
        assert_eq!(refused.header("retry-after"), "5");
        open.pop();
        assert_eq!(server.open(request()).await.status(), StatusCode::OK);
    });
}
