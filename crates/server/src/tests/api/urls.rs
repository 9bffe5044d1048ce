//! Tests of the route; what can be found at a URL is tested in [`slovo_fetch`].

use axum::http::StatusCode;
use serde_json::json;
use slovo_fetch::testing::{RemoteServer, file};
use slovo_test_media::prompts;
use tokio::runtime::Runtime;

use crate::testing::{Backend, apply, each_database, with_server, with_server_options};

const PATH: &str = "/api/v1/urls/probe";

#[apply(each_database!)]
fn the_file_at_a_url_is_described(backend: Backend) {
    let runtime = Runtime::new().unwrap();
    let remote = runtime.block_on(RemoteServer::start(async |request, mut stream| {
        let wav = std::fs::read(prompts::WELCOME.path()).unwrap();
        file(&request, &mut stream, &wav, "\"1\"").await;
    }));
    with_server_options(
        backend,
        &["--fetch-allow", &remote.place()],
        async |server| {
            let me = server.signup("a@example.com").await;
            let form = json!({"url": format!(" {} ", remote.url("/a%20talk.wav"))});
            let answer = server.post_as(&me, PATH, &form).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
            let size = std::fs::metadata(prompts::WELCOME.path()).unwrap().len();
            let mut found = answer.json();
            assert!(found["duration"].take().as_f64().unwrap() > 1.0);
            assert_eq!(
                found,
                json!({"kind": "file", "title": null, "filename": "a talk.wav", "duration": null,
                "size": size, "content_type": "audio/wav"})
            );
        },
    );
}

#[apply(each_database!)]
fn invalid_and_private_urls_are_refused_and_probes_are_limited(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let probe = async |url: &str| server.post_as(&me, PATH, &json!({"url": url})).await;
        for (url, code) in [
            ("", "url_required"),
            ("talk.mp3", "url_invalid"),
            ("http://me:x@a.example/", "url_credentials"),
            ("http://a.example/my talk.mp3", "url_spaces"),
            (
                &format!("http://a.example/{}", "x".repeat(3000)),
                "too_long",
            ),
        ] {
            let answer = probe(url).await;
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
            assert_eq!(answer.json()["errors"][0]["code"], code, "{url}");
        }
        for url in [
            "http://127.0.0.1:8787/",
            "http://[fd00::1]/",
            "http://a.example:22/",
        ] {
            let refused = probe(url).await;
            refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "url_refused");
            assert!(!refused.text().contains("127.0.0.1"));
        }
        let mut answer = probe("http://10.0.0.1/").await;
        for _ in 0..120 {
            answer = probe("http://10.0.0.1/").await;
        }
        answer.is_problem(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
    });
}

#[apply(each_database!)]
fn url_jobs_and_probes_share_one_limit(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let url = "http://10.0.0.1/";
        let settings = json!({"transcription_type": "lite", "language_code": "en", "url": url});
        let job = json!({"settings": settings});
        let probe = async || server.post_as(&me, PATH, &json!({"url": url})).await;
        let create_job = async || server.post_as(&me, "/api/v1/jobs", &job).await;
        let mut tries = 0;
        loop {
            let answer = if tries % 2 == 0 {
                probe().await
            } else {
                create_job().await
            };
            if answer.status == StatusCode::TOO_MANY_REQUESTS {
                break;
            }
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "url_refused");
            tries += 1;
        }
        assert_eq!(tries, 120, "of both together");
        for answer in [probe().await, create_job().await] {
            answer.is_problem(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
        }
        let other = server.signup("b@example.com").await;
        let answer = server.post_as(&other, "/api/v1/jobs", &job).await;
        answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "url_refused");
    });
}
