//! Recordings that are uploaded while they are made, and the list of uploads.

use axum::body::Body;
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use slovo_test_media::wave::{Header, tone};
use uuid::Uuid;

use super::support::{append, create, declare, defer, files, offset, tus, wav};
use crate::testing::{Backend, TestServer, TestUser, apply, each_database, with_server};

/// A recording as the browser sends it: 44.1 kHz PCM with unknown sizes in its header.
fn recording() -> Vec<u8> {
    header(Some(u32::MAX)).with(&sound())
}

fn sound() -> Vec<u8> {
    tone(44_100, 440.0, 2.0, 0.5)
}

fn header(size: Option<u32>) -> Header {
    Header {
        rate: 44_100,
        data: size,
        riff: size,
        ..Header::default()
    }
}

fn id(path: &str) -> Uuid {
    path.rsplit('/').next().unwrap().parse().unwrap()
}

async fn finish(server: &TestServer, who: &TestUser, path: &str, at: usize) {
    let answer = declare(server, who, path, at, &at.to_string()).await;
    assert_eq!(answer.status, StatusCode::NO_CONTENT, "{}", answer.text());
}

#[apply(each_database!)]
fn a_finished_recording_has_its_length_in_the_header(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let sent = recording();
        let path = defer(&server, &me, "voice").await;
        let mut at = 0;
        for part in sent.chunks(50_001) {
            append(&server, &me, &path, at, part).await;
            at += part.len();
        }
        assert!(files(&server)[0] == sent, "not touched while it grows");
        finish(&server, &me, &path, at).await;
        assert_eq!(files(&server), [header(None).with(&sound())]);
        let state = server.get_as(&me, &path).await.json();
        assert_eq!(state["media"]["duration"], 2.0);
        assert_eq!(state["media"]["audio_tracks"][0]["sample_rate"], 44_100);
        let body = json!({"upload_id": state["upload_id"], "settings": {"transcription_type": "lite",
            "language_code": "en"}});
        let job = server.post_as(&me, "/api/v1/jobs", &body).await;
        assert_eq!(job.status, StatusCode::CREATED, "{}", job.text());
        assert_eq!(job.json()["file_size"], sent.len());
    });
}

/// After a crash, a recording may end within a sample; it can be used or continued.
#[apply(each_database!)]
fn a_recording_can_end_within_a_sample(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let mut sent = recording();
        sent.truncate(sent.len() - 3);
        let path = defer(&server, &me, "voice").await;
        append(&server, &me, &path, 0, &sent).await;
        finish(&server, &me, &path, sent.len()).await;
        let sound = sound();
        let mut expected = header(None).with(&sound[..sound.len() - 4]);
        expected.push(sound[sound.len() - 4]);
        assert_eq!(files(&server), [expected]);
        let media = server.get_as(&me, &path).await.json()["media"].clone();
        assert!(
            (media["duration"].as_f64().unwrap() - 2.0).abs() < 0.001,
            "{media}"
        );
    });
}

/// The server dies after the length was stored and before the header was written, with bytes in the
/// file that are beyond the stored offset.
#[apply(each_database!)]
fn a_recording_is_finished_after_the_server_was_killed(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let sent = recording();
        let path = defer(&server, &me, "voice").await;
        append(&server, &me, &path, 0, &sent).await;
        let mut transaction = server.state.db.write().await.unwrap();
        let length = sent.len() as u64;
        let declared =
            slovo_db::jobs::uploads::declare_length(&mut transaction, id(&path), length).await;
        assert!(declared.unwrap());
        transaction.commit().await.unwrap();
        let file = server.state.storage.media(id(&path));
        std::fs::write(&file, [&sent[..], &[0xAA; 501]].concat()).unwrap();
        assert_eq!(offset(&server, &me, &path).await, sent.len());
        for _ in 0..2 {
            let state = server.get_as(&me, &path).await.json();
            assert_eq!(state["media"]["duration"], 2.0);
            assert_eq!(files(&server), [header(None).with(&sound())]);
        }
    });
}

#[apply(each_database!)]
fn unrecorded_bytes_are_cut_off_before_a_recording_continues(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let sent = recording();
        let path = defer(&server, &me, "voice").await;
        append(&server, &me, &path, 0, &sent[..50_000]).await;
        let file = server.state.storage.media(id(&path));
        std::fs::write(&file, [&sent[..50_000], &[0xAA; 777]].concat()).unwrap();
        append(&server, &me, &path, 50_000, &sent[50_000..]).await;
        finish(&server, &me, &path, sent.len()).await;
        assert_eq!(files(&server), [header(None).with(&sound())]);
    });
}

#[apply(each_database!)]
fn a_header_with_wrong_sizes_is_not_changed(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let wrong_header = Header {
            data: Some(1000),
            riff: Some(u32::MAX),
            ..header(None)
        };
        for sent in [
            wrong_header.with(&sound()),
            // A file of known length is stored as it was sent.
            header(Some(0)).with(&sound()),
        ] {
            let path = create(&server, &me, sent.len()).await;
            append(&server, &me, &path, 0, &sent).await;
            let deferred = defer(&server, &me, "voice").await;
            let foreign = wrong_header.with(&sound());
            append(&server, &me, &deferred, 0, &foreign).await;
            finish(&server, &me, &deferred, foreign.len()).await;
            let data = |path: &str| std::fs::read(server.state.storage.media(id(path))).unwrap();
            assert!(data(&path) == sent && data(&deferred) == foreign);
        }
        // A header without sound is not a recording.
        let empty = defer(&server, &me, "voice").await;
        append(&server, &me, &empty, 0, &recording()[..44]).await;
        let answer = declare(&server, &me, &empty, 44, "44").await;
        answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "no_samples");
    });
}

#[apply(each_database!)]
fn the_list_contains_uploads_that_can_be_continued(backend: Backend) {
    with_server(backend, async |server| {
        let (me, other) = (
            server.signup("a@example.com").await,
            server.signup("b@example.com").await,
        );
        let listed = async |who: &TestUser| {
            let answer = server.get_as(who, "/api/v1/uploads").await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
            answer.json()["uploads"].as_array().unwrap().clone()
        };
        let wav = wav();
        let mut paths = Vec::new();
        for bytes in [&wav[..], &wav[..100], b"<!DOCTYPE html><html></html>"] {
            let path = create(
                &server,
                &me,
                if bytes.len() == 100 { 200 } else { bytes.len() },
            )
            .await;
            append(&server, &me, &path, 0, bytes).await;
            paths.push(path);
            server.clock.advance_seconds(1);
        }
        let voice = defer(&server, &me, "voice").await;
        defer(&server, &other, "voice").await;
        let all = listed(&me).await;
        let ids: Vec<Uuid> = all
            .iter()
            .map(|upload| id(upload["upload_id"].as_str().unwrap()))
            .collect();
        assert_eq!(
            ids,
            [id(&voice), id(&paths[1]), id(&paths[0])],
            "the refused one is not there"
        );
        assert_eq!(
            (&all[0]["size"], &all[0]["kind"]),
            (&Value::Null, &"voice".into())
        );
        assert_eq!(
            (&all[1]["size"], &all[1]["stored"]),
            (&200.into(), &100.into())
        );
        assert_eq!((&all[1]["created_at"]), "2026-03-01T12:00:01Z");
        assert_eq!(all[2]["media"]["audio_tracks"][0]["codec"], "pcm_s16le");
        assert_eq!(listed(&other).await.len(), 1);

        // Uploads that were taken by a job, deleted, or have expired are not listed.
        let body = json!({"upload_id": id(&paths[0]), "settings": {"transcription_type": "lite",
            "language_code": "en"}});
        let created = server.post_as(&me, "/api/v1/jobs", &body).await;
        assert_eq!(created.status, StatusCode::CREATED, "{}", created.text());
        let delete = tus(&server, &me, Method::DELETE, &voice).body(Body::empty());
        server.send(delete.unwrap()).await;
        assert_eq!(listed(&me).await.len(), 1);
        server
            .clock
            .advance_seconds(slovo_uploads::LIFETIME_MS / 1000);
        let login = server
            .login("a@example.com", crate::testing::PASSWORD)
            .await;
        assert!(listed(&TestUser::from(&login.json())).await.is_empty());
    });
}
