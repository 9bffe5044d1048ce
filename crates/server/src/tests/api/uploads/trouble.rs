//! Server-side failures: no disk space, a file that cannot be inspected, no free place.

use axum::http::StatusCode;
use serde_json::json;
use slovo_rules::upload::MAX_OPEN_UPLOADS;
use uuid::Uuid;

use super::support::{append, create, create_named, files, offset, wav};
use crate::testing::{Backend, apply, each_database, with_server};

#[apply(each_database!)]
fn a_full_disk_is_reported_and_the_upload_can_resume(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let wav = wav();
        let path = create(&server, &me, wav.len()).await;
        append(&server, &me, &path, 0, &wav[..1000]).await;
        server.state.storage.set_full(true);
        create_named(&server, &me, 10, "a.wav")
            .await
            .is_problem(StatusCode::INSUFFICIENT_STORAGE, "storage_full");
        append(&server, &me, &path, 1000, &wav[1000..])
            .await
            .is_problem(StatusCode::INSUFFICIENT_STORAGE, "storage_full");
        server.state.storage.set_full(false);
        assert_eq!(offset(&server, &me, &path).await, 1000, "what came stays");
        let answer = append(&server, &me, &path, 1000, &wav[1000..]).await;
        assert_eq!(answer.status, StatusCode::NO_CONTENT, "{}", answer.text());
        assert_eq!(files(&server), [wav]);
    });
}

#[apply(each_database!)]
fn stored_bytes_are_kept_while_their_file_is_missing(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let wav = wav();
        let path = create(&server, &me, wav.len()).await;
        let half = wav.len() / 2;
        let sent = append(&server, &me, &path, 0, &wav[..half]).await;
        assert_eq!(sent.status, StatusCode::NO_CONTENT, "{}", sent.text());
        let id: Uuid = path.rsplit('/').next().unwrap().parse().unwrap();
        let file = server.state.storage.media(id);
        let away = file.with_extension("away");
        std::fs::rename(&file, &away).unwrap();
        let refused = append(&server, &me, &path, half, &wav[half..]).await;
        refused.is_problem(StatusCode::SERVICE_UNAVAILABLE, "unavailable");
        assert!(!file.exists(), "none is made in its place");
        std::fs::rename(&away, &file).unwrap();
        let sent = append(&server, &me, &path, half, &wav[half..]).await;
        assert_eq!(sent.status, StatusCode::NO_CONTENT, "{}", sent.text());
        assert_eq!(std::fs::read(&file).unwrap(), wav);
    });
}

#[apply(each_database!)]
fn a_temporarily_unreadable_file_is_kept(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let wav = wav();
        let path = create(&server, &me, wav.len()).await;
        let id: Uuid = path.rsplit('/').next().unwrap().parse().unwrap();
        let mut transaction = server.state.db.write().await.unwrap();
        let stored = wav.len() as u64;
        slovo_db::jobs::uploads::set_stored(&mut transaction, id, stored, i64::MAX)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        // A directory in the file's place is the server's fault, not the user's.
        let file = server.state.storage.media(id);
        std::fs::create_dir(&file).unwrap();
        let settings = json!({"transcription_type": "lite", "language_code": "en"});
        let body = json!({"upload_id": id, "settings": settings});
        let answer = server.post_as(&me, "/api/v1/jobs", &body).await;
        answer.is_problem(StatusCode::SERVICE_UNAVAILABLE, "unavailable");
        assert!(file.exists());
        std::fs::remove_dir(&file).unwrap();
        std::fs::write(&file, &wav).unwrap();
        let answer = server.post_as(&me, "/api/v1/jobs", &body).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
    });
}

#[apply(each_database!)]
fn uploads_that_never_started_are_dropped_for_new_ones(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let started = create(&server, &me, 10_000).await;
        append(&server, &me, &started, 0, &wav()[..100]).await;
        let mut empty = Vec::new();
        for _ in 1..MAX_OPEN_UPLOADS {
            empty.push(create(&server, &me, 10).await);
            server.clock.advance_seconds(1);
        }
        let more = create_named(&server, &me, 10, "a.wav").await;
        more.is_problem(StatusCode::TOO_MANY_REQUESTS, "too_many_uploads");
        // Afterwards the two oldest uploads have been empty for ten minutes.
        let wait = 10 * 60 - i64::try_from(empty.len()).unwrap() + 1;
        server.clock.advance_seconds(wait);
        for _ in 0..2 {
            create(&server, &me, 10).await;
        }
        let more = create_named(&server, &me, 10, "a.wav").await;
        more.is_problem(StatusCode::TOO_MANY_REQUESTS, "too_many_uploads");
        for dropped in &empty[..2] {
            let answer = server.get_as(&me, dropped).await;
            answer.is_problem(StatusCode::NOT_FOUND, "not_found");
        }
        for remaining in [&started, &empty[2]] {
            assert_eq!(server.get_as(&me, remaining).await.status, StatusCode::OK);
        }
    });
}
