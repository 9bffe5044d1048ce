//! Shared links: what they show, to whom, and until when.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use serde_json::{Value, json};
use slovo_db::texts::waveforms::{self, Waveform};
use tokio_stream::StreamExt;

use crate::testing::{
    Answer, Backend, PASSWORD, TIMEOUT, TestServer, TestUser, apply, each_database, with_server,
};
use crate::tests::api::jobs::edits::support::{Page, complete, talk};
use crate::tests::api::me::support::{job, send_json};

mod comments;
mod edits;
mod passwords;
mod visitors;

/// Makes a link.
async fn share(page: &Page<'_>, form: Value) -> Value {
    let path = format!("{}/shares", page.path);
    let answer = page.server.post_as(page.who, &path, &form).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
    answer.json()
}

fn token(share: &Value) -> &str {
    share["url"].as_str().unwrap().rsplit('/').next().unwrap()
}

/// Opens a link without an account.
async fn open(server: &TestServer, token: &str) -> Answer {
    server.get(&format!("/api/v1/shared/{token}")).await
}

/// The same with a grant.
async fn open_with(server: &TestServer, token: &str, grant: &str) -> Answer {
    let request = Request::get(format!("/api/v1/shared/{token}")).header("share-grant", grant);
    server.send(request.body(Body::empty()).unwrap()).await
}

/// Changes a setting of a link: puts `form` to its path followed by `what`.
async fn put(page: &Page<'_>, share: &Value, what: &str, form: Value) -> Answer {
    let id = share["id"].as_str().unwrap();
    let path = format!("{}/shares/{id}{what}", page.path);
    send_json(page.server, page.who, Method::PUT, &path, &form).await
}

fn assert_not_indexed_or_cached(answer: &Answer) {
    assert_eq!(answer.header("x-robots-tag"), "noindex, nofollow");
    assert_eq!(answer.header("referrer-policy"), "no-referrer");
    assert_eq!(answer.header("cache-control"), "no-store");
}

async fn remove(server: &TestServer, who: &TestUser, path: &str) -> Answer {
    let request = server.request(Method::DELETE, path, who);
    server.send(request.body(Body::empty()).unwrap()).await
}

#[apply(each_database!)]
fn a_link_shows_the_current_text_and_nothing_of_the_account(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("secret.owner@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день.", "Вітаю вас."]).await;
        let created = share(&page, json!({"expires_at": null, "with_media": false})).await;
        assert_eq!(created["opened"], 0);
        assert!(created["url"].as_str().unwrap().contains("/shared/"));
        let first = open(&server, token(&created)).await;
        assert_eq!(first.status, StatusCode::OK, "{}", first.text());
        assert_not_indexed_or_cached(&first);
        let shared = first.json();
        assert_eq!(shared["title"], "розмова");
        assert_eq!(shared["language"], "uk");
        assert_eq!(shared["media_url"], Value::Null);
        for internal_field in ["model", "seq", "warnings"] {
            assert_eq!(
                shared["transcript"][internal_field],
                Value::Null,
                "{internal_field}"
            );
        }
        assert_eq!(shared["transcript"]["segments"][1]["text"], "Вітаю вас.");
        let rename = json!({"kind": "rename_speaker", "speaker": "SPEAKER_1", "name": "Олена"});
        page.edit(rename).await;
        let reopened = open(&server, token(&created)).await;
        assert_eq!(
            reopened.json()["transcript"]["speakers"][1]["name"],
            "Олена"
        );
        for secret in ["secret.owner", &me.user_id, "auth_user", ".wav"] {
            assert!(!reopened.text().contains(secret), "tells {secret}");
        }
        let listed = server
            .get_as(&me, &format!("{}/shares", page.path))
            .await
            .json();
        assert_eq!(listed[0]["opened"], 2);
        assert_eq!(listed[0]["url"], created["url"]);
        assert!(listed[0]["last_opened_at"].is_string());
    });
}

#[apply(each_database!)]
fn invalid_tokens_all_get_the_same_answer(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let soon = json!({"expires_at": "2026-03-01T12:01:00Z", "with_media": true});
        let expiring = share(&page, soon).await;
        let lasting = share(&page, json!({"expires_at": null, "with_media": true})).await;
        let media = open(&server, token(&expiring)).await.json()["media_url"].clone();
        let media = media.as_str().unwrap().to_owned();
        assert_eq!(server.get(&media).await.status, StatusCode::OK);
        assert_eq!(open(&server, token(&lasting)).await.status, StatusCode::OK);
        server.clock.advance_seconds(60);
        let path = format!("{}/shares/{}", page.path, lasting["id"].as_str().unwrap());
        let withdrawn = remove(&server, &me, &path).await;
        assert_eq!(withdrawn.status, StatusCode::NO_CONTENT);
        remove(&server, &me, &path)
            .await
            .is_problem(StatusCode::NOT_FOUND, "not_found");
        let good = token(&lasting);
        for invalid in [
            token(&expiring),
            good,
            &good[..good.len() - 1],
            &format!("A{}", &good[1..]),
            &format!("{good}A"),
            &page.job.to_string(),
            "x",
            "..%2f..",
        ] {
            let answer = open(&server, invalid).await;
            answer.is_problem(StatusCode::NOT_FOUND, "not_found");
            assert_not_indexed_or_cached(&answer);
        }
        for path in [media.clone(), media.replace("/media/", "/waveform/")] {
            let media_answer = server.get(&path).await;
            media_answer.is_problem(StatusCode::NOT_FOUND, "not_found");
            assert_not_indexed_or_cached(&media_answer);
        }
    });
}

#[apply(each_database!)]
fn the_recording_is_sent_in_ranges_and_stops_when_the_link_is_withdrawn(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let long = vec![7_u8; 400_000];
        let id = job(&server, &me, "long.wav", &long).await;
        complete(&server, &talk(&["Добрий день."])).await;
        let path = format!("/api/v1/jobs/{id}");
        let form = json!({"expires_at": null, "with_media": true});
        let created = server
            .post_as(&me, &format!("{path}/shares"), &form)
            .await
            .json();
        let shared = open(&server, token(&created)).await.json();
        let media = shared["media_url"].as_str().unwrap();
        let range = Request::get(media).header("range", "bytes=10-19");
        let part = server.send(range.body(Body::empty()).unwrap()).await;
        assert_eq!(part.status, StatusCode::PARTIAL_CONTENT);
        assert_eq!(part.body.len(), 10);
        assert_eq!(part.header("content-range"), "bytes 10-19/400000");
        let request = Request::get(media).body(Body::empty()).unwrap();
        let mut pieces = server.open(request).await.into_body().into_data_stream();
        assert!(pieces.next().await.unwrap().is_ok());
        let withdraw = format!("{path}/shares/{}", created["id"].as_str().unwrap());
        remove(&server, &me, &withdraw).await;
        server.clock.advance_seconds(2);
        let rest = tokio::time::timeout(TIMEOUT, pieces.next());
        assert!(rest.await.unwrap().unwrap().is_err(), "it is broken off");
        // The token of a link that does not include the recording.
        let without_media = json!({"expires_at": null, "with_media": false});
        let without_media = server
            .post_as(&me, &format!("{path}/shares"), &without_media)
            .await
            .json();
        let shared = open(&server, token(&without_media)).await.json();
        assert_eq!(shared["media_url"], Value::Null);
        let tried = server
            .get(&format!("/api/v1/shared/media/{}", token(&without_media)))
            .await;
        assert_eq!(tried.status, StatusCode::NOT_FOUND);
    });
}

#[apply(each_database!)]
fn the_waveform_is_available_as_long_as_the_recording(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("secret.owner@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let shape = Waveform {
            duration: 4.0,
            peaks: Some(vec![0, 51, 255]),
        };
        let mut transaction = server.state.db.write().await.unwrap();
        waveforms::store(&mut transaction, page.job, &shape)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        let form = json!({"expires_at": "2026-03-01T12:01:00Z", "with_media": true});
        let expiring = share(&page, form).await;
        let lasting = share(&page, json!({"expires_at": null, "with_media": true})).await;
        let waveform_url =
            async |share: &Value| open(&server, token(share)).await.json()["waveform_url"].clone();
        let (first, second) = (waveform_url(&expiring).await, waveform_url(&lasting).await);
        let (first, second) = (first.as_str().unwrap(), second.as_str().unwrap());
        for path in [first, second] {
            let answer = server.get(path).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
            assert_not_indexed_or_cached(&answer);
            assert_eq!(
                answer.json(),
                json!({"duration": 4.0, "peaks": [0.0, 0.2, 1.0]})
            );
        }
        // Such a link does not reveal the waveform either.
        let without_media = share(&page, json!({"expires_at": null, "with_media": false})).await;
        assert_eq!(waveform_url(&without_media).await, Value::Null);
        let cut = &second[..second.len() - 1];
        let of_text = format!("/api/v1/shared/waveform/{}", token(&lasting));
        let of_mute = format!("/api/v1/shared/waveform/{}", token(&without_media));
        for invalid in [cut, &of_text, &of_mute, "/api/v1/shared/waveform/x"] {
            let answer = server.get(invalid).await;
            answer.is_problem(StatusCode::NOT_FOUND, "not_found");
            assert_not_indexed_or_cached(&answer);
        }
        let path = format!("{}/shares/{}", page.path, lasting["id"].as_str().unwrap());
        assert_eq!(
            remove(&server, &me, &path).await.status,
            StatusCode::NO_CONTENT
        );
        server.clock.advance_seconds(60);
        for ended in [first, second] {
            let answer = server.get(ended).await;
            answer.is_problem(StatusCode::NOT_FOUND, "not_found");
        }
    });
}

#[apply(each_database!)]
fn links_are_managed_by_the_owner_and_deleted_with_the_job(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let other = server.signup("b@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let form = json!({"expires_at": null, "with_media": false});
        let created = share(&page, form.clone()).await;
        let shares = format!("{}/shares", page.path);
        let link_path = format!("{shares}/{}", created["id"].as_str().unwrap());
        for answer in [
            server.get_as(&other, &shares).await,
            server.post_as(&other, &shares, &form).await,
            remove(&server, &other, &link_path).await,
        ] {
            answer.is_problem(StatusCode::NOT_FOUND, "not_found");
        }
        let past = json!({"expires_at": "2026-03-01T12:00:00Z", "with_media": false});
        let past = server.post_as(&me, &shares, &past).await;
        past.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "expires_in_past");
        let empty = job(&server, &me, "empty.wav", b"recording").await;
        let empty = server
            .post_as(&me, &format!("/api/v1/jobs/{empty}/shares"), &form)
            .await;
        empty.is_problem(StatusCode::CONFLICT, "transcript_not_ready");
        assert_eq!(open(&server, token(&created)).await.status, StatusCode::OK);
        let deleted = remove(&server, &me, &page.path).await;
        assert!(deleted.status.is_success(), "{}", deleted.text());
        let answer = open(&server, token(&created)).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND);
    });
}

#[apply(each_database!)]
fn trying_too_many_tokens_is_rate_limited(backend: Backend) {
    with_server(backend, async |server| {
        let mut last = open(&server, "x").await;
        for _ in 0..130 {
            last = open(&server, "x").await;
        }
        last.is_problem(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
        assert_not_indexed_or_cached(&last);
        server.clock.advance_seconds(60);
        assert_eq!(open(&server, "x").await.status, StatusCode::NOT_FOUND);
    });
}
