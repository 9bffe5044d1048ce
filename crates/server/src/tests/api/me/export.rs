//! The archive of all data.

use std::io::{Cursor, Read};
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, StatusCode};
use futures_util::StreamExt;
use serde_json::{Value, json};
use slovo_db::texts::analyses::{self, NewAnalysis};
use slovo_db::texts::assistant::{self, Message, Role};
use slovo_rules::analysis::{Part, PartRequest};
use uuid::Uuid;
use zip::ZipArchive;

use super::support::{block, complete_next, job, send_json};
use crate::testing::{Backend, TIMEOUT, TestServer, TestUser, apply, each_database, with_server};

const PATH: &str = "/api/v1/me/export";

async fn link(server: &TestServer, who: &TestUser, recordings: bool) -> String {
    let answer = server
        .post_as(who, PATH, &json!({"recordings": recordings}))
        .await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    answer.json()["url"].as_str().unwrap().to_owned()
}

/// All files of the archive at a link, by name.
async fn unpacked(server: &TestServer, url: &str) -> Vec<(String, Vec<u8>)> {
    let answer = server.get(url).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    assert_eq!(answer.header("content-type"), "application/zip");
    let disposition = answer.header("content-disposition");
    assert_eq!(disposition, "attachment; filename=\"slovo-2026-03-01.zip\"");
    let mut archive = ZipArchive::new(Cursor::new(answer.body)).unwrap();
    let mut files = Vec::new();
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).unwrap();
        let name = file.name().unwrap().into_owned();
        assert!(file.enclosed_name().is_some(), "{name} leaves the folder");
        let mut content = Vec::new();
        file.read_to_end(&mut content).unwrap();
        files.push((name, content));
    }
    files
}

fn file_named<'a>(files: &'a [(String, Vec<u8>)], name: &str) -> &'a [u8] {
    let found = files.iter().find(|(file_name, _)| file_name == name);
    let names: Vec<_> = files.iter().map(|(name, _)| name).collect();
    &found
        .unwrap_or_else(|| panic!("no {name} among {names:?}"))
        .1
}

/// Stores a pending analysis and a question.
async fn store_analysis_and_question(server: &TestServer, job: Uuid) {
    let mut transaction = server.state.db.write().await.unwrap();
    let new = NewAnalysis {
        id: Uuid::new_v4(),
        job,
        version: 1,
        request: &PartRequest::plain(Part::Chapters),
        held_reason: None,
        now: 1,
    };
    assert!(analyses::insert(&mut transaction, &new).await.unwrap());
    let message = Message {
        id: Uuid::new_v4(),
        role: Role::User,
        text: "Хто вирішує?".to_owned(),
        moments: Vec::new(),
        engine: None,
        incomplete: false,
        created_at: 1,
    };
    assert!(
        assistant::add(&mut transaction, job, &message)
            .await
            .unwrap()
    );
    transaction.commit().await.unwrap();
}

#[apply(each_database!)]
fn the_archive_contains_all_data_of_the_user(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let other = server.signup("b@example.com").await;
        let first = job(&server, &me, "Розмова 🎙️.mp3", b"first recording").await;
        store_analysis_and_question(&server, first).await;
        let path = format!("/api/v1/jobs/{first}/position");
        let saved = send_json(&server, &me, Method::PUT, &path, &json!({"seconds": 1.5})).await;
        assert_eq!(saved.status, StatusCode::NO_CONTENT, "{}", saved.text());
        let mark = json!({"id": Uuid::new_v4(), "kind": "bookmark", "colour": "pink", "version": 1,
            "segment": "0", "offset": 0, "quote": "Добрий день", "start": 0, "end": 0,
            "note": "Почати звідси"});
        let path = format!("/api/v1/jobs/{first}/annotations");
        let body = json!({ "annotations": [mark] });
        let marked = server.post_as(&me, &path, &body).await;
        assert_eq!(marked.status, StatusCode::CREATED, "{}", marked.text());
        for (kind, name) in [("tags", "робота"), ("folders", "Клієнт")] {
            let path = format!("/api/v1/{kind}");
            let form = json!({"name": name, "color": 2});
            let created = server.post_as(&me, &path, &form).await;
            assert_eq!(created.status, StatusCode::CREATED, "{}", created.text());
        }
        complete_next(&server, "Добрий день усім.").await;
        let names = [
            "../../etc/passwd",
            "con",
            &"довга ".repeat(200),
            "talk.WAV",
            "talk.WAV",
        ];
        for name in names {
            server.clock.advance_seconds(1);
            job(&server, &me, name, b"recording").await;
        }
        job(&server, &other, "foreign.mp3", b"foreign").await;
        let profile = json!({"fullname": "Леся", "usage": "analysis", "terms": true});
        send_json(&server, &me, Method::PUT, "/api/v1/me/profile", &profile).await;
        let mut png = Cursor::new(Vec::new());
        let image = image::DynamicImage::new_rgb8(8, 8);
        image.write_to(&mut png, image::ImageFormat::Png).unwrap();
        let request = server.request(Method::PUT, "/api/v1/me/avatar", &me);
        let set = server
            .send(request.body(Body::from(png.into_inner())).unwrap())
            .await;
        assert_eq!(set.status, StatusCode::OK, "{}", set.text());

        let template = "/api/v1/me/docx-template";
        let example = server.get_as(&me, &format!("{template}/example")).await;
        let request = server.request(Method::PUT, template, &me);
        let set = server
            .send(request.body(Body::from(example.body.clone())).unwrap())
            .await;
        assert_eq!(set.status, StatusCode::OK, "{}", set.text());

        for (who, name) in [(&me, "Моя"), (&other, "foreign")] {
            let preset = json!({"name": name, "is_public": false});
            let created = server.post_as(who, "/api/v1/presets", &preset).await;
            assert_eq!(created.status, StatusCode::CREATED, "{}", created.text());
        }

        let files = unpacked(&server, &link(&server, &me, true).await).await;
        assert_eq!(file_named(&files, "template.docx"), &example.body[..]);
        let presets: Value = serde_json::from_slice(file_named(&files, "presets.json")).unwrap();
        assert_eq!(presets.as_array().unwrap().len(), 1);
        assert_eq!(presets[0]["name"], "Моя");
        // The file can be imported again.
        let import = json!({"presets": presets});
        let import = server
            .post_as(&other, "/api/v1/presets/import", &import)
            .await;
        assert_eq!(import.status, StatusCode::CREATED, "{}", import.text());
        let account: Value = serde_json::from_slice(file_named(&files, "account.json")).unwrap();
        assert_eq!(account["user"]["fullname"], "Леся");
        assert_eq!(account["user"]["role"], "admin");
        assert_eq!(account["preferences"]["locale"], "uk");
        assert_eq!(account["tags"][0]["name"], "робота");
        assert_eq!(account["folders"][0]["name"], "Клієнт");
        assert_eq!(account["sessions"].as_array().unwrap().len(), 1);
        assert!(String::from_utf8_lossy(file_named(&files, "README.txt")).contains("account.json"));
        let first = "jobs/6-Розмова 🎙️.mp3";
        let body: Value =
            serde_json::from_slice(file_named(&files, &format!("{first}/job.json"))).unwrap();
        assert_eq!(body["original_filename"], "Розмова 🎙️.mp3");
        for (file, content) in [
            ("analyses", "chapters"),
            ("assistant", "Хто вирішує?"),
            ("annotations", "Почати звідси"),
        ] {
            let stored = file_named(&files, &format!("{first}/{file}.json"));
            assert!(String::from_utf8_lossy(stored).contains(content), "{file}");
        }
        let position: Value =
            serde_json::from_slice(file_named(&files, &format!("{first}/position.json"))).unwrap();
        assert_eq!(position, json!({"seconds": 1.5}));
        assert!(
            !files
                .iter()
                .any(|(name, _)| name.starts_with("jobs/1-") && name.contains("position"))
        );
        for format in ["json", "txt", "srt", "vtt"] {
            let text = file_named(&files, &format!("{first}/transcript.{format}"));
            assert!(
                String::from_utf8_lossy(text).contains("Добрий день усім"),
                "{format}"
            );
        }
        assert_eq!(
            file_named(&files, &format!("{first}/original.mp3")),
            b"first recording"
        );
        assert_eq!(
            file_named(&files, "jobs/1-talk.WAV/original.wav"),
            b"recording"
        );
        assert_eq!(
            file_named(&files, "jobs/2-talk.WAV/original.wav"),
            b"recording"
        );
        assert_eq!(file_named(&files, "jobs/4-con/original"), b"recording");
        file_named(&files, "jobs/5-_.._etc_passwd/job.json");
        assert!(files.iter().any(|(name, _)| name.starts_with("avatar.")));
        assert!(files.iter().all(|(name, _)| name.chars().count() < 100));

        assert_no_secrets(&server, &me, &files).await;
        let without = unpacked(&server, &link(&server, &me, false).await).await;
        assert!(!without.iter().any(|(name, _)| name.contains("original")));
    });
}

/// The archive contains no credentials, no data of others and no paths of the server.
async fn assert_no_secrets(server: &TestServer, me: &TestUser, files: &[(String, Vec<u8>)]) {
    let state = &server.state;
    let mut connection = state.db.read().await.unwrap();
    let hash = slovo_db::accounts::password_hash(&mut connection, &me.user_id).await;
    let session = state
        .tokens
        .read(&me.access_token, state.clock.now())
        .unwrap();
    let mut secrets = vec![
        hash.unwrap().unwrap(),
        me.access_token.clone(),
        me.refresh_token.clone(),
        slovo_app::auth::session::token_hash(&me.refresh_token),
        session.sid,
        state.config.data().display().to_string(),
        "foreign".to_owned(),
        "b@example.com".to_owned(),
        "argon2".to_owned(),
    ];
    secrets.extend(
        state
            .storage
            .files()
            .await
            .unwrap()
            .iter()
            .map(|file| file.id.to_string()),
    );
    for (name, content) in files {
        let content = String::from_utf8_lossy(content);
        for secret in &secrets {
            assert!(
                !content.contains(secret) && !name.contains(secret),
                "{name}: {secret}"
            );
        }
    }
}

#[apply(each_database!)]
fn a_link_ends_with_its_session_lifetime_and_account(backend: Backend) {
    with_server(backend, async |server| {
        server.signup("admin@example.com").await;
        let me = server.signup("a@example.com").await;
        let assert_not_found = async |url: &str| {
            let answer = server.get(url).await;
            answer.is_problem(StatusCode::NOT_FOUND, "not_found");
        };
        let url = link(&server, &me, false).await;
        assert_eq!(server.get(&url).await.status, StatusCode::OK);
        assert_not_found(&format!("{PATH}/{}", me.access_token)).await;
        assert_not_found(&format!("{PATH}/x")).await;
        // The link's token is not an access token.
        let bearer = TestUser {
            access_token: url.rsplit('/').next().unwrap().to_owned(),
            ..me.clone()
        };
        assert_eq!(server.me(&bearer).await.status, StatusCode::UNAUTHORIZED);
        server.clock.advance_seconds(600);
        assert_not_found(&url).await;

        let url = link(&server, &me, false).await;
        let token = json!({"refresh_token": me.refresh_token});
        server.post("/api/v1/auth/logout", &token).await;
        assert_not_found(&url).await;

        let login = server
            .login("a@example.com", crate::testing::PASSWORD)
            .await;
        let me = TestUser::from(&login.json());
        let url = link(&server, &me, false).await;
        block(&server, &me).await;
        assert_not_found(&url).await;
    });
}

#[apply(each_database!)]
fn archives_are_limited_per_account_and_to_two_at_a_time(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let large = vec![7; 3 * 1024 * 1024];
        for name in ["a.wav", "b.wav"] {
            job(&server, &me, name, &large).await;
        }
        let url = link(&server, &me, true).await;
        let open = async || {
            server
                .open(Request::get(&url).body(Body::empty()).unwrap())
                .await
        };
        let (first, second) = (open().await, open().await);
        let third = server.get(&url).await;
        third.is_problem(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
        // A client that disconnects frees its place.
        drop(first);
        let freed = async {
            while !server.state.exports.is_free(&me.user_id, 2) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(TIMEOUT, freed).await.unwrap();
        let complete = to_bytes(open().await.into_body(), usize::MAX)
            .await
            .unwrap();
        assert_eq!(ZipArchive::new(Cursor::new(complete)).unwrap().len(), 7);

        // When the account is blocked meanwhile, the rest is not sent, and the archive has no valid
        // end.
        let mut body = second.into_body().into_data_stream();
        body.next().await.unwrap().unwrap();
        let other = server.signup("b@example.com").await;
        let mut transaction = server.state.db.write().await.unwrap();
        slovo_db::accounts::roles::grant_admin(&mut transaction, &other.user_id, 1)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        block(&server, &me).await;
        let mut last = None;
        while let Some(piece) = body.next().await {
            last = Some(piece);
        }
        assert!(last.unwrap().is_err());

        for _ in 0..9 {
            link(&server, &other, false).await;
        }
        link(&server, &other, false).await;
        let refused = server.post_as(&other, PATH, &json!({})).await;
        refused.is_problem(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
        assert_eq!(refused.header("retry-after"), "360");
    });
}
