//! Uploads with deferred length.

use std::convert::Infallible;

use axum::body::{Body, Bytes};
use axum::http::{Method, StatusCode};
use futures_util::stream;
use slovo_db::jobs::uploads::{self, NewUpload};
use slovo_rules::upload::{MAX_OPEN_UPLOADS, MAX_UPLOAD_BYTES, UploadKind};
use slovo_uploads::{LIFETIME_MS, MAX_OPEN_BYTES, VOICE_LIFETIME_MS};
use uuid::Uuid;

use super::support::{
    append, broken, create_named, declare, defer, files, head, offset, patch, tus, wav,
};
use crate::testing::{Backend, TestServer, TestUser, apply, each_database, with_server};

#[apply(each_database!)]
fn a_deferred_length_can_be_declared_only_once(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let wav = wav();
        let path = defer(&server, &me, "voice").await;
        let initial = head(&server, &me, &path).await;
        assert_eq!(initial.header("upload-defer-length"), "1");
        assert!(!initial.headers.contains_key("upload-length"));
        // Base64 of the file name and of `kind`.
        assert_eq!(
            initial.header("upload-metadata"),
            "filename dGFsay53YXY=,kind dm9pY2U="
        );
        let answer = append(&server, &me, &path, 0, &wav[..9000]).await;
        assert_eq!(answer.status, StatusCode::NO_CONTENT, "{}", answer.text());
        let state = server.get_as(&me, &path).await.json();
        assert_eq!(
            (&state["size"], &state["complete"]),
            (&None::<u64>.into(), &false.into())
        );
        assert_eq!(
            (&state["stored"], &state["kind"]),
            (&9000.into(), &"voice".into())
        );

        // Less than was stored, at another offset, zero, and more than the maximum.
        let less = declare(&server, &me, &path, 9000, "8999").await;
        less.is_problem(StatusCode::CONFLICT, "upload_length_mismatch");
        let wrong_offset = declare(&server, &me, &path, 8999, &wav.len().to_string()).await;
        wrong_offset.is_problem(StatusCode::CONFLICT, "upload_offset_mismatch");
        let zero = declare(&server, &me, &path, 9000, "0").await;
        zero.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        let large = (MAX_UPLOAD_BYTES + 1).to_string();
        let large = declare(&server, &me, &path, 9000, &large).await;
        large.is_problem(StatusCode::PAYLOAD_TOO_LARGE, "upload_too_large");
        assert_eq!(
            head(&server, &me, &path)
                .await
                .header("upload-defer-length"),
            "1"
        );

        // The length can be declared before the last byte, in a request without bytes.
        let length = wav.len().to_string();
        let declared = declare(&server, &me, &path, 9000, &length).await;
        assert_eq!(
            declared.status,
            StatusCode::NO_CONTENT,
            "{}",
            declared.text()
        );
        let known = head(&server, &me, &path).await;
        assert_eq!(known.header("upload-length"), length);
        assert!(!known.headers.contains_key("upload-defer-length"));
        for other in [wav.len() - 1, wav.len() + 1] {
            let changed = declare(&server, &me, &path, 9000, &other.to_string()).await;
            changed.is_problem(StatusCode::CONFLICT, "upload_length_mismatch");
        }
        let again = declare(&server, &me, &path, 9000, &length).await;
        assert_eq!(again.status, StatusCode::NO_CONTENT, "an answer was lost");
        let too_many_bytes = append(&server, &me, &path, 9000, &wav[8999..]).await;
        too_many_bytes.is_problem(StatusCode::PAYLOAD_TOO_LARGE, "upload_too_large");
        append(&server, &me, &path, 9000, &wav[9000..]).await;
        assert_eq!(server.get_as(&me, &path).await.json()["complete"], true);
        assert_eq!(files(&server), [wav]);
    });
}

#[apply(each_database!)]
fn the_length_can_come_with_the_last_bytes_or_the_first_request(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let wav = wav();
        let path = defer(&server, &me, "file").await;
        append(&server, &me, &path, 0, &wav[..100]).await;
        let request = patch(&server, &me, &path, 100).header("upload-length", wav.len());
        let last = server
            .send(request.body(Body::from(wav[100..].to_vec())).unwrap())
            .await;
        assert_eq!(last.status, StatusCode::NO_CONTENT, "{}", last.text());
        assert_eq!(
            server.get_as(&me, &path).await.json()["media"]["container"],
            "wav"
        );

        // A declared length can be repeated, but not changed.
        let known = create_named(&server, &me, 10, "a.wav").await;
        let known = known.header("location");
        let same = declare(&server, &me, known, 0, "10").await;
        assert_eq!(same.status, StatusCode::NO_CONTENT);
        let other = declare(&server, &me, known, 0, "11").await;
        other.is_problem(StatusCode::CONFLICT, "upload_length_mismatch");
        assert_eq!(files(&server).len(), 2);
    });
}

#[apply(each_database!)]
fn contradictory_or_invalid_headers_change_nothing(backend: Backend) {
    with_server(backend, async |server| {
        let (me, other) = (
            server.signup("a@example.com").await,
            server.signup("b@example.com").await,
        );
        let post = |pairs: &'static [(&'static str, &'static str)]| {
            let mut request = tus(&server, &me, Method::POST, "/api/v1/uploads");
            for (name, value) in pairs {
                request = request.header(*name, *value);
            }
            server.send(request.body(Body::empty()).unwrap())
        };
        for wrong in [
            &[("upload-defer-length", "1"), ("upload-length", "5")][..],
            &[("upload-defer-length", "0")],
            &[("upload-defer-length", "true")],
            &[("upload-defer-length", "1"), ("upload-defer-length", "1")],
            // An unknown kind, and one that is not valid text.
            &[
                ("upload-defer-length", "1"),
                ("upload-metadata", "kind dmlkZW8="),
            ],
            &[
                ("upload-defer-length", "1"),
                ("upload-metadata", "kind /w=="),
            ],
        ] {
            let answer = post(wrong).await;
            answer.is_problem(StatusCode::BAD_REQUEST, "tus_header_invalid");
        }
        let listed = server.get_as(&me, "/api/v1/uploads").await.json();
        assert_eq!(listed["uploads"], serde_json::json!([]));

        let path = defer(&server, &me, "voice").await;
        append(&server, &me, &path, 0, &wav()[..100]).await;
        for wrong in [
            "-1",
            "-100",
            "1e3",
            "",
            "1,2",
            "99999999999999999999",
            "0x64",
            "NaN",
            "100 ",
        ] {
            let answer = declare(&server, &me, &path, 100, wrong).await;
            let status = answer.status;
            assert_eq!(
                status,
                StatusCode::BAD_REQUEST,
                "{wrong:?}: {}",
                answer.text()
            );
        }
        let huge = declare(&server, &me, &path, 100, &i64::MAX.to_string()).await;
        huge.is_problem(StatusCode::PAYLOAD_TOO_LARGE, "upload_too_large");
        let both = patch(&server, &me, &path, 100)
            .header("upload-length", 200)
            .header("upload-defer-length", 1);
        let both = server.send(both.body(Body::empty()).unwrap()).await;
        both.is_problem(StatusCode::BAD_REQUEST, "tus_header_invalid");
        let foreign = declare(&server, &other, &path, 100, "100").await;
        foreign.is_problem(StatusCode::NOT_FOUND, "not_found");
        assert_eq!(
            head(&server, &me, &path)
                .await
                .header("upload-defer-length"),
            "1"
        );
        assert_eq!(offset(&server, &me, &path).await, 100);
    });
}

#[apply(each_database!)]
fn files_that_are_no_recording_are_refused_without_a_length(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let html = format!("<!DOCTYPE html><html>{}</html>", "x".repeat(9000));
        let path = defer(&server, &me, "voice").await;
        let answer = append(&server, &me, &path, 0, html.as_bytes()).await;
        answer.is_problem(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media");
        assert!(files(&server).is_empty());
        // Too few bytes for a decision before the length is declared.
        let path = defer(&server, &me, "voice").await;
        append(&server, &me, &path, 0, b"<!DOCTYPE html>").await;
        let answer = declare(&server, &me, &path, 15, "15").await;
        answer.is_problem(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media");
        assert!(files(&server).is_empty());
    });
}

/// An upload with deferred length and `stored` bytes; only the first bytes are written.
async fn upload_of_size(server: &TestServer, who: &TestUser, id: u128, stored: u64) -> String {
    let id = Uuid::from_u128(id);
    let now = server.state.clock.now_ms();
    let upload = NewUpload {
        id,
        user_id: who.user_id.clone(),
        filename: "a.wav".to_owned(),
        content_type: String::new(),
        kind: UploadKind::Voice,
        size: None,
        created_at: now,
        expires_at: now + VOICE_LIFETIME_MS,
    };
    server.state.uploads.create(upload).await.unwrap();
    // A sparse file of the same size.
    let path = server.state.storage.media(id);
    std::fs::write(&path, wav()).unwrap();
    let file = std::fs::File::options().write(true).open(&path).unwrap();
    file.set_len(stored).unwrap();
    let mut transaction = server.state.db.write().await.unwrap();
    uploads::set_stored(&mut transaction, id, stored, now + VOICE_LIFETIME_MS)
        .await
        .unwrap();
    uploads::set_container(&mut transaction, id, "wav")
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    format!("/api/v1/uploads/{id}")
}

#[apply(each_database!)]
fn a_recording_that_grows_too_large_keeps_the_bytes_that_fit(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let path = upload_of_size(&server, &me, 1, MAX_UPLOAD_BYTES - 100).await;
        let at = usize::try_from(MAX_UPLOAD_BYTES - 100).unwrap();
        let full = at + 100;
        // With or without `Content-Length`.
        let many = stream::iter(vec![Ok::<_, Infallible>(Bytes::from_static(&[7; 30])); 2]);
        let request = patch(&server, &me, &path, at)
            .body(Body::from_stream(many))
            .unwrap();
        assert_eq!(server.send(request).await.status, StatusCode::NO_CONTENT);
        let over = append(&server, &me, &path, at + 60, &[8; 60]).await;
        over.is_problem(StatusCode::PAYLOAD_TOO_LARGE, "upload_too_large");
        assert_eq!(offset(&server, &me, &path).await, full);
        let more = append(&server, &me, &path, full, &[9; 1]).await;
        more.is_problem(StatusCode::PAYLOAD_TOO_LARGE, "upload_too_large");
        assert_eq!(offset(&server, &me, &path).await, full);
        let declared = declare(&server, &me, &path, full, &full.to_string()).await;
        assert_eq!(
            declared.status,
            StatusCode::NO_CONTENT,
            "{}",
            declared.text()
        );
        assert_eq!(server.get_as(&me, &path).await.json()["complete"], true);
    });
}

#[apply(each_database!)]
fn an_open_upload_counts_by_its_stored_bytes(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        // All but 50 bytes of a user's limit for incomplete uploads.
        let full_uploads = u128::from(MAX_OPEN_BYTES / MAX_UPLOAD_BYTES);
        for id in 2..=full_uploads {
            upload_of_size(&server, &me, id, MAX_UPLOAD_BYTES).await;
        }
        let path = upload_of_size(&server, &me, 1, MAX_UPLOAD_BYTES - 50).await;
        let second = defer(&server, &me, "voice").await;
        let answer = append(&server, &me, &second, 0, &wav()[..60]).await;
        answer.is_problem(StatusCode::TOO_MANY_REQUESTS, "too_many_uploads");
        assert_eq!(offset(&server, &me, &second).await, 50, "what fits is kept");
        let at = usize::try_from(MAX_UPLOAD_BYTES - 50).unwrap();
        let more = append(&server, &me, &path, at, &[0]).await;
        more.is_problem(StatusCode::TOO_MANY_REQUESTS, "too_many_uploads");
        let longer = declare(&server, &me, &second, 50, "51").await;
        longer.is_problem(StatusCode::TOO_MANY_REQUESTS, "too_many_uploads");
        // Declaring the stored size as the length needs no space.
        let declared = declare(&server, &me, &path, at, &at.to_string()).await;
        assert_eq!(
            declared.status,
            StatusCode::NO_CONTENT,
            "{}",
            declared.text()
        );
        let other = server.signup("b@example.com").await;
        let free = defer(&server, &other, "voice").await;
        let answer = append(&server, &other, &free, 0, &wav()[..60]).await;
        assert_eq!(
            answer.status,
            StatusCode::NO_CONTENT,
            "the limit is each user's own"
        );

        // The number of uploads is limited too, even if they are empty.
        for _ in 1..MAX_OPEN_UPLOADS {
            defer(&server, &other, "voice").await;
        }
        let one_more = tus(&server, &other, Method::POST, "/api/v1/uploads")
            .header("upload-defer-length", "1");
        let one_more = server.send(one_more.body(Body::empty()).unwrap()).await;
        one_more.is_problem(StatusCode::TOO_MANY_REQUESTS, "too_many_uploads");
    });
}

#[apply(each_database!)]
fn an_open_recording_expires_after_a_week_and_a_file_after_a_day(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let voice = defer(&server, &me, "voice").await;
        let file = defer(&server, &me, "file").await;
        append(&server, &me, &voice, 0, &wav()[..1000]).await;
        append(&server, &me, &file, 0, &wav()[..1000]).await;
        let log_in_after = async |seconds| {
            server.clock.advance_seconds(seconds);
            server.state.uploads.sweep().await.unwrap();
            let login = server
                .login("a@example.com", crate::testing::PASSWORD)
                .await;
            TestUser::from(&login.json())
        };
        let me = log_in_after(LIFETIME_MS / 1000 + 1).await;
        let expired = server.get_as(&me, &file).await;
        expired.is_problem(StatusCode::NOT_FOUND, "not_found");
        assert_eq!(offset(&server, &me, &voice).await, 1000);
        let me = log_in_after((VOICE_LIFETIME_MS - LIFETIME_MS) / 1000 - 10).await;
        // New bytes extend the lifetime by a week.
        append(&server, &me, &voice, 1000, &wav()[1000..1001]).await;
        let me = log_in_after(VOICE_LIFETIME_MS / 1000 - 10).await;
        assert_eq!(offset(&server, &me, &voice).await, 1001);
        log_in_after(20).await;
        assert!(files(&server).is_empty());
    });
}

#[apply(each_database!)]
fn two_clients_can_finish_one_recording_only_once(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let wav = wav();
        let path = defer(&server, &me, "voice").await;
        // The client that created it crashed within a piece.
        let request = patch(&server, &me, &path, 0);
        server
            .send(request.body(broken(&wav[..5000])).unwrap())
            .await;
        // Another client knows nothing but its URL.
        let at = offset(&server, &me, &path).await;
        assert_eq!(at, 5000);
        append(&server, &me, &path, at, &wav[at..]).await;
        let length = wav.len().to_string();
        let (first_answer, second_answer) = tokio::join!(
            declare(&server, &me, &path, wav.len(), &length),
            declare(&server, &me, &path, wav.len(), &length),
        );
        for answer in [first_answer, second_answer] {
            assert!(
                matches!(answer.status, StatusCode::NO_CONTENT | StatusCode::LOCKED),
                "{}",
                answer.text()
            );
        }
        let (short, long) = (wav.len() - 1, wav.len() + 1);
        for other in [short, long] {
            let answer = declare(&server, &me, &path, wav.len(), &other.to_string()).await;
            answer.is_problem(StatusCode::CONFLICT, "upload_length_mismatch");
        }
        assert_eq!(server.get_as(&me, &path).await.json()["complete"], true);
        assert_eq!(files(&server), [wav]);
    });
}
