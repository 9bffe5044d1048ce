//! Refused uploads, limits, access control and deletion.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{Method, StatusCode};
use futures_util::stream;
use slovo_rules::upload::{MAX_OPEN_UPLOADS, MAX_UPLOAD_BYTES};
use slovo_uploads::{LIFETIME_MS, MAX_OPEN_BYTES, VOICE_LIFETIME_MS};

use super::support::{append, create, create_named, files, offset, patch, tus, wav};
use crate::testing::{Backend, TestUser, apply, each_database, with_server};

#[apply(each_database!)]
fn options_requests_list_the_tus_extensions(backend: Backend) {
    with_server(backend, async |server| {
        for path in [
            "/api/v1/uploads",
            "/api/v1/uploads/0197f3a0-0000-7000-8000-000000000000",
        ] {
            let request = axum::http::Request::options(path)
                .body(Body::empty())
                .unwrap();
            let answer = server.send(request).await;
            assert_eq!(answer.status, StatusCode::NO_CONTENT);
            assert_eq!(answer.header("tus-resumable"), "1.0.0");
            assert_eq!(answer.header("tus-version"), "1.0.0");
            assert_eq!(answer.header("tus-max-size"), MAX_UPLOAD_BYTES.to_string());
            assert_eq!(answer.header("tus-checksum-algorithm"), "sha1,sha256");
            for extension in [
                "creation",
                "creation-defer-length",
                "creation-with-upload",
                "expiration",
                "checksum",
                "termination",
            ] {
                let offered = answer.header("tus-extension");
                assert!(
                    offered.split(',').any(|item| item == extension),
                    "{extension}"
                );
            }
        }
    });
}

#[apply(each_database!)]
fn uploads_that_are_too_large_or_empty_are_refused(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let large = create_named(&server, &me, MAX_UPLOAD_BYTES + 1, "a.wav").await;
        large.is_problem(StatusCode::PAYLOAD_TOO_LARGE, "upload_too_large");
        assert_eq!(large.json()["errors"][0]["code"], "file_too_large");
        assert_eq!(large.header("tus-max-size"), MAX_UPLOAD_BYTES.to_string());
        let empty = create_named(&server, &me, 0, "a.wav").await;
        empty.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        assert_eq!(empty.json()["errors"][0]["code"], "file_empty");
        assert_eq!(
            create_named(&server, &me, MAX_UPLOAD_BYTES, "a.wav")
                .await
                .status,
            201
        );

        let path = create(&server, &me, 100).await;
        let announced = append(&server, &me, &path, 0, &[0; 101]).await;
        announced.is_problem(StatusCode::PAYLOAD_TOO_LARGE, "upload_too_large");
        // The same without `Content-Length`.
        let many = stream::iter(vec![Ok::<_, Infallible>(Bytes::from_static(&[0; 60])); 3]);
        let request = patch(&server, &me, &path, 0)
            .body(Body::from_stream(many))
            .unwrap();
        let unannounced = server.send(request).await;
        unannounced.is_problem(StatusCode::PAYLOAD_TOO_LARGE, "upload_too_large");
        assert_eq!(
            offset(&server, &me, &path).await,
            0,
            "nothing of such a request is kept"
        );
    });
}

#[apply(each_database!)]
fn headers_that_break_the_protocol_are_refused(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let post = |name: &'static str, value: &'static str| {
            let request = tus(&server, &me, Method::POST, "/api/v1/uploads").header(name, value);
            server.send(request.body(Body::empty()).unwrap())
        };
        for (name, value) in [
            ("upload-length", "-1"),
            ("upload-defer-length", "2"),
            ("x-nothing", "1"),
        ] {
            post(name, value)
                .await
                .is_problem(StatusCode::BAD_REQUEST, "tus_header_invalid");
        }
        let path = create(&server, &me, 10).await;
        let old = server
            .request(Method::HEAD, &path, &me)
            .header("tus-resumable", "0.2.2");
        let old = server.send(old.body(Body::empty()).unwrap()).await;
        assert_eq!(old.status, StatusCode::PRECONDITION_FAILED);
        assert_eq!(old.header("tus-version"), "1.0.0");
        assert_eq!(
            old.header("tus-resumable"),
            "1.0.0",
            "errors speak tus, too"
        );
        let typed = tus(&server, &me, Method::PATCH, &path).header("upload-offset", 0);
        let typed = typed
            .header("content-type", "audio/wav")
            .body(Body::from("0123456789"));
        let answer = server.send(typed.unwrap()).await;
        answer.is_problem(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type");
        let without = tus(&server, &me, Method::PATCH, &path)
            .header("content-type", "application/offset+octet-stream");
        let answer = server
            .send(without.body(Body::from("0123456789")).unwrap())
            .await;
        answer.is_problem(StatusCode::BAD_REQUEST, "tus_header_invalid");
        let ahead = append(&server, &me, &path, 5, b"56789").await;
        ahead.is_problem(StatusCode::CONFLICT, "upload_offset_mismatch");
        assert_eq!(ahead.header("upload-offset"), "0");
    });
}

#[apply(each_database!)]
fn files_that_are_no_recording_are_refused_and_deleted(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let html = format!(
            "<!DOCTYPE html><html><body>{}</body></html>",
            "x".repeat(9000)
        );
        let path = create(&server, &me, html.len() + 500_000).await;
        let answer = append(&server, &me, &path, 0, html.as_bytes()).await;
        answer.is_problem(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media");
        let error = &answer.json()["errors"][0];
        assert_eq!(
            (&error["code"], &error["params"]["found"]),
            (&"content_refused".into(), &"html".into())
        );
        assert!(files(&server).is_empty());
        let again = append(&server, &me, &path, html.len(), b"more").await;
        again.is_problem(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media");
        assert_eq!(
            server.get_as(&me, &path).await.json()["error"]["code"],
            "content_refused"
        );

        // A recording by its header, but without sound.
        let header = &wav()[..44];
        let path = create(&server, &me, header.len()).await;
        let answer = append(&server, &me, &path, 0, header).await;
        assert!(answer.status.is_client_error(), "{}", answer.text());
        assert!(!answer.code().is_empty());
        assert!(files(&server).is_empty());
    });
}

#[apply(each_database!)]
fn two_uploads_with_the_same_name_are_independent(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let wav = wav();
        let mut other = wav.clone();
        other.truncate(wav.len() - 800);
        for name in [
            "same.wav",
            "../../same.wav",
            "/etc/passwd",
            "..",
            "",
            "a\u{202e}vaw.exe",
        ] {
            let first = create_named(&server, &me, wav.len() as u64, name).await;
            let second = create_named(&server, &me, other.len() as u64, name).await;
            let (first, second) = (first.header("location"), second.header("location"));
            let half = wav.len() / 2;
            append(&server, &me, first, 0, &wav[..half]).await;
            append(&server, &me, second, 0, &other[..100]).await;
            append(&server, &me, first, half, &wav[half..]).await;
            append(&server, &me, second, 100, &other[100..]).await;
            let data = server.state.config.data();
            let stored = |path: &str| {
                std::fs::read(data.join("media").join(path.rsplit('/').next().unwrap())).unwrap()
            };
            assert!(stored(first) == wav && stored(second) == other, "{name}");
            let filename = server.get_as(&me, first).await.json()["filename"]
                .as_str()
                .unwrap()
                .to_owned();
            assert!(
                !filename.is_empty() && !filename.contains(['/', '\u{202e}']),
                "{filename}"
            );
            for path in [first, second] {
                let delete = tus(&server, &me, Method::DELETE, path)
                    .body(Body::empty())
                    .unwrap();
                assert_eq!(server.send(delete).await.status, StatusCode::NO_CONTENT);
            }
        }
        assert!(files(&server).is_empty());
    });
}

#[apply(each_database!)]
fn expired_uploads_and_orphaned_files_are_removed(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let path = create(&server, &me, 10_000).await;
        append(&server, &me, &path, 0, &wav()[..1000]).await;
        let orphan = server
            .state
            .config
            .data()
            .join("media/0197f3a0-0000-7000-8000-000000000000");
        std::fs::write(&orphan, "left by a process that died").unwrap();
        let set_orphan_time = |ms: i64| {
            let at = std::time::UNIX_EPOCH + Duration::from_millis(u64::try_from(ms).unwrap());
            let file = std::fs::File::options().write(true).open(&orphan).unwrap();
            file.set_modified(at).unwrap();
        };
        let old = server.state.clock.now_ms() - VOICE_LIFETIME_MS;
        set_orphan_time(old);
        server.state.uploads.sweep().await.unwrap();
        assert_eq!(
            files(&server).len(),
            2,
            "an orphan of this week stays as well"
        );
        set_orphan_time(old - 1);
        server.state.uploads.sweep().await.unwrap();
        assert_eq!(
            files(&server).len(),
            1,
            "the living one stays, the orphan goes"
        );
        server.clock.advance_seconds(LIFETIME_MS / 1000 + 1);
        // The session has expired as well.
        let me = TestUser::from(
            &server
                .login("a@example.com", crate::testing::PASSWORD)
                .await
                .json(),
        );
        let answer = append(&server, &me, &path, 1000, b"more").await;
        answer.is_problem(StatusCode::GONE, "upload_expired");
        server.state.uploads.sweep().await.unwrap();
        assert!(files(&server).is_empty());
        let answer = server.get_as(&me, &path).await;
        answer.is_problem(StatusCode::NOT_FOUND, "not_found");
    });
}

#[apply(each_database!)]
fn the_open_uploads_of_a_user_are_limited(backend: Backend) {
    with_server(backend, async |server| {
        let (me, other) = (
            server.signup("a@example.com").await,
            server.signup("b@example.com").await,
        );
        let mut last = String::new();
        for _ in 0..MAX_OPEN_UPLOADS {
            last = create(&server, &me, 10).await;
        }
        let more = create_named(&server, &me, 10, "a.wav").await;
        more.is_problem(StatusCode::TOO_MANY_REQUESTS, "too_many_uploads");
        create(&server, &other, 10).await;
        let delete = tus(&server, &me, Method::DELETE, &last)
            .body(Body::empty())
            .unwrap();
        assert_eq!(server.send(delete).await.status, StatusCode::NO_CONTENT);
        create(&server, &me, 10).await;

        let third = server.signup("c@example.com").await;
        for _ in 0..MAX_OPEN_BYTES / MAX_UPLOAD_BYTES {
            assert_eq!(
                create_named(&server, &third, MAX_UPLOAD_BYTES, "a")
                    .await
                    .status,
                201
            );
        }
        let more = create_named(&server, &third, 1, "a.wav").await;
        more.is_problem(StatusCode::TOO_MANY_REQUESTS, "too_many_uploads");
    });
}

#[apply(each_database!)]
fn other_users_cannot_reach_an_upload(backend: Backend) {
    with_server(backend, async |server| {
        let (me, other) = (
            server.signup("a@example.com").await,
            server.signup("b@example.com").await,
        );
        let wav = wav();
        let path = create(&server, &me, wav.len()).await;
        append(&server, &me, &path, 0, &wav[..100]).await;
        for method in [Method::HEAD, Method::GET, Method::DELETE] {
            let request = tus(&server, &other, method.clone(), &path)
                .body(Body::empty())
                .unwrap();
            assert_eq!(
                server.send(request).await.status,
                StatusCode::NOT_FOUND,
                "{method}"
            );
            let nobody = axum::http::Request::builder().method(method).uri(&path);
            let nobody = nobody
                .header("tus-resumable", "1.0.0")
                .body(Body::empty())
                .unwrap();
            assert_eq!(server.send(nobody).await.status, StatusCode::UNAUTHORIZED);
        }
        let foreign = append(&server, &other, &path, 100, &wav[100..]).await;
        foreign.is_problem(StatusCode::NOT_FOUND, "not_found");
        for method in ["PATCH", "DELETE"] {
            let request = tus(&server, &other, Method::POST, &path)
                .header("x-http-method-override", method)
                .header("content-type", "application/offset+octet-stream")
                .header("upload-offset", 100);
            let answer = server.send(request.body(Body::from("x")).unwrap()).await;
            answer.is_problem(StatusCode::NOT_FOUND, "not_found");
        }
        assert_eq!(offset(&server, &me, &path).await, 100);
        for junk in [
            "x",
            "..%2F..%2Fslovo.db",
            "0197f3a0-0000-7000-8000-000000000000",
        ] {
            let answer = server.get_as(&me, &format!("/api/v1/uploads/{junk}")).await;
            answer.is_problem(StatusCode::NOT_FOUND, "not_found");
        }
    });
}
