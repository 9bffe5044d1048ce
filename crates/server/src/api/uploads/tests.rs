//! Uploads through the real router, on both databases.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::request::Builder;
use axum::http::{Method, StatusCode};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use futures_util::stream;
use sha1::Sha1;
use sha2::{Digest, Sha256};
use slovo_rules::upload::MAX_UPLOAD_BYTES;
use slovo_test_media::prompts::WELCOME;

use crate::testing::{Answer, Signed, TestServer, each_server};
use crate::uploads::{LIFETIME_MS, MAX_OPEN_BYTES, MAX_OPEN_UPLOADS};

fn wav() -> Vec<u8> {
    std::fs::read(WELCOME.path()).unwrap()
}

fn tus(server: &TestServer, who: &Signed, method: Method, path: &str) -> Builder {
    server
        .request(method, path, who)
        .header("tus-resumable", "1.0.0")
}

async fn create_named(server: &TestServer, who: &Signed, size: u64, name: &str) -> Answer {
    let request = tus(server, who, Method::POST, "/api/v1/uploads")
        .header("upload-length", size)
        .header(
            "upload-metadata",
            format!("filename {}", BASE64_STANDARD.encode(name)),
        );
    server.send(request.body(Body::empty()).unwrap()).await
}

/// Begins an upload and gives its path.
async fn create(server: &TestServer, who: &Signed, size: usize) -> String {
    let answer = create_named(server, who, size as u64, "talk.wav").await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
    answer.header("location").to_owned()
}

fn patch(server: &TestServer, who: &Signed, path: &str, offset: usize) -> Builder {
    tus(server, who, Method::PATCH, path)
        .header("content-type", "application/offset+octet-stream")
        .header("upload-offset", offset)
}

async fn append(server: &TestServer, who: &Signed, path: &str, at: usize, bytes: &[u8]) -> Answer {
    let request = patch(server, who, path, at).header("content-length", bytes.len());
    server
        .send(request.body(Body::from(bytes.to_vec())).unwrap())
        .await
}

async fn offset(server: &TestServer, who: &Signed, path: &str) -> usize {
    let head = tus(server, who, Method::HEAD, path)
        .body(Body::empty())
        .unwrap();
    let answer = server.send(head).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.header("cache-control"), "no-store");
    answer.header("upload-offset").parse().unwrap()
}

/// A body that brings these bytes and then breaks off.
fn broken(bytes: &[u8]) -> Body {
    let bytes = Bytes::copy_from_slice(bytes);
    Body::from_stream(stream::iter(
        [Ok(bytes), Err(std::io::ErrorKind::ConnectionReset)]
            .map(|item: Result<Bytes, std::io::ErrorKind>| item.map_err(std::io::Error::from)),
    ))
}

fn files(server: &TestServer) -> Vec<Vec<u8>> {
    let media = server.state.config.data().join("media");
    let entries = std::fs::read_dir(media).unwrap();
    entries
        .map(|entry| std::fs::read(entry.unwrap().path()).unwrap())
        .collect()
}

#[test]
fn the_server_says_what_it_can() {
    each_server(async |server| {
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
                "creation-with-upload",
                "expiration",
                "checksum",
                "termination",
            ] {
                let offered = answer.header("tus-extension");
                assert!(
                    offered.split(',').any(|one| one == extension),
                    "{extension}"
                );
            }
        }
    });
}

#[test]
fn a_recording_goes_up_in_one_piece_and_is_described() {
    each_server(async |server| {
        let me = server.signup("a@example.com").await;
        let wav = wav();
        let path = create(&server, &me, wav.len()).await;
        assert_eq!(offset(&server, &me, &path).await, 0);
        let answer = append(&server, &me, &path, 0, &wav).await;
        assert_eq!(answer.status, StatusCode::NO_CONTENT, "{}", answer.text());
        assert_eq!(answer.header("upload-offset"), wav.len().to_string());
        assert_eq!(
            answer.header("upload-expires"),
            "Mon, 02 Mar 2026 12:00:00 GMT"
        );
        let state = server.get_as(&me, &path).await.json();
        assert_eq!(state["filename"], "talk.wav");
        assert_eq!(
            (&state["complete"], &state["error"]),
            (&true.into(), &serde_json::Value::Null)
        );
        assert_eq!(state["media"]["container"], "wav");
        assert_eq!(state["media"]["channels"], 1);
        assert!((state["media"]["duration"].as_f64().unwrap() - WELCOME.seconds).abs() < 0.01);
        assert_eq!(files(&server), [wav]);
    });
}

/// Wherever a connection breaks, what came is kept and the upload goes on there.
#[test]
fn an_upload_resumes_at_the_byte_where_it_broke_off() {
    each_server(async |server| {
        let me = server.signup("a@example.com").await;
        let wav = wav();
        // The first bytes one by one, around the sizes at which something is decided, primes.
        let mut points: Vec<usize> = (1..12).collect();
        points.extend([43, 44, 45, 4095, 4096, 4097, 7919, 65_535, 65_536, 65_537]);
        points.extend([wav.len() - 2, wav.len() - 1]);
        let path = create(&server, &me, wav.len()).await;
        let mut at = 0;
        for point in points.into_iter().filter(|point| *point < wav.len()) {
            let request = patch(&server, &me, &path, at);
            server
                .send(request.body(broken(&wav[at..point])).unwrap())
                .await;
            at = offset(&server, &me, &path).await;
            assert_eq!(at, point, "everything that came is kept");
        }
        assert_eq!(
            append(&server, &me, &path, at, &wav[at..]).await.status,
            StatusCode::NO_CONTENT
        );
        assert_eq!(files(&server), [wav]);
    });
}

/// A killed process may have written more than it had noted; its bytes are not trusted.
#[test]
fn bytes_beyond_what_was_noted_are_cut_off() {
    each_server(async |server| {
        let me = server.signup("a@example.com").await;
        let wav = wav();
        let path = create(&server, &me, wav.len()).await;
        append(&server, &me, &path, 0, &wav[..5000]).await;
        let id = path.rsplit('/').next().unwrap();
        let file = server.state.config.data().join("media").join(id);
        let torn = [&wav[..5000], &[0xAA; 700]].concat();
        std::fs::write(&file, torn).unwrap();
        assert_eq!(offset(&server, &me, &path).await, 5000);
        append(&server, &me, &path, 5000, &wav[5000..]).await;
        assert_eq!(std::fs::read(&file).unwrap(), wav);
    });
}

#[test]
fn a_wrong_checksum_keeps_nothing_of_its_request() {
    each_server(async |server| {
        let me = server.signup("a@example.com").await;
        let wav = wav();
        let path = create(&server, &me, wav.len()).await;
        append(&server, &me, &path, 0, &wav[..100]).await;
        let with = |checksum: String, body: Body| {
            let request = patch(&server, &me, &path, 100).header("upload-checksum", checksum);
            server.send(request.body(body).unwrap())
        };
        let part = &wav[100..6000];
        let sha1 = format!("sha1 {}", BASE64_STANDARD.encode(Sha1::digest(part)));
        let sha256 = format!(
            "sha256 {}",
            BASE64_STANDARD.encode(Sha256::digest(&wav[6000..]))
        );
        let wrong = with(sha1.clone(), Body::from(wav[101..6001].to_vec())).await;
        wrong.is_problem(StatusCode::from_u16(460).unwrap(), "checksum_mismatch");
        assert_eq!(offset(&server, &me, &path).await, 100);
        // A part whose end is missing cannot be checked.
        with(sha1.clone(), broken(&part[..3000])).await;
        assert_eq!(offset(&server, &me, &path).await, 100);
        assert_eq!(files(&server)[0].len(), 100);
        let unknown = with("md5 AAAA".to_owned(), Body::from(part.to_vec())).await;
        unknown.is_problem(StatusCode::BAD_REQUEST, "tus_header_invalid");
        let right = with(sha1, Body::from(part.to_vec())).await;
        assert_eq!(right.status, StatusCode::NO_CONTENT, "{}", right.text());
        let rest = patch(&server, &me, &path, 6000).header("upload-checksum", sha256);
        let rest = server
            .send(rest.body(Body::from(wav[6000..].to_vec())).unwrap())
            .await;
        assert_eq!(rest.status, StatusCode::NO_CONTENT, "{}", rest.text());
        assert_eq!(files(&server), [wav]);
    });
}

#[test]
fn an_upload_can_begin_with_its_bytes() {
    each_server(async |server| {
        let me = server.signup("a@example.com").await;
        let wav = wav();
        let begin = |bytes: Vec<u8>, checksum: Option<String>| {
            let mut request = tus(&server, &me, Method::POST, "/api/v1/uploads")
                .header("content-type", "application/offset+octet-stream")
                .header("content-length", bytes.len())
                .header("upload-length", wav.len());
            if let Some(checksum) = checksum {
                request = request.header("upload-checksum", checksum);
            }
            server.send(request.body(Body::from(bytes)).unwrap())
        };
        let answer = begin(wav[..3000].to_vec(), None).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
        assert_eq!(answer.header("upload-offset"), "3000");
        let path = answer.header("location").to_owned();
        append(&server, &me, &path, 3000, &wav[3000..]).await;
        assert_eq!(server.get_as(&me, &path).await.json()["complete"], true);

        let checksum = format!("sha1 {}", BASE64_STANDARD.encode(Sha1::digest(b"other")));
        let answer = begin(wav[..3000].to_vec(), Some(checksum)).await;
        answer.is_problem(StatusCode::from_u16(460).unwrap(), "checksum_mismatch");
        assert_eq!(
            files(&server).len(),
            1,
            "nothing stays of an upload nobody knows of"
        );
    });
}

#[test]
fn sizes_are_refused_before_and_while_bytes_come() {
    each_server(async |server| {
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
        // The same without saying how much will come.
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

#[test]
fn headers_that_break_the_protocol_are_refused() {
    each_server(async |server| {
        let me = server.signup("a@example.com").await;
        let post = |name: &'static str, value: &'static str| {
            let request = tus(&server, &me, Method::POST, "/api/v1/uploads").header(name, value);
            server.send(request.body(Body::empty()).unwrap())
        };
        for (name, value) in [
            ("upload-length", "-1"),
            ("upload-defer-length", "1"),
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

#[test]
fn a_second_writer_is_refused_and_takes_over_from_a_stalled_one() {
    each_server(async |server| {
        let me = server.signup("a@example.com").await;
        let wav = wav();
        let path = create(&server, &me, wav.len()).await;
        let (bytes, came) = tokio::sync::mpsc::unbounded_channel::<Result<Bytes, Infallible>>();
        bytes
            .send(Ok(Bytes::copy_from_slice(&wav[..1000])))
            .unwrap();
        let came = tokio_stream::wrappers::UnboundedReceiverStream::new(came);
        let first = patch(&server, &me, &path, 0)
            .body(Body::from_stream(came))
            .unwrap();
        let second = async {
            // The first one is under way as soon as a second one is refused.
            loop {
                let answer = append(&server, &me, &path, 0, b"").await;
                if answer.status == StatusCode::LOCKED {
                    answer.is_problem(StatusCode::LOCKED, "upload_locked");
                    break;
                }
                tokio::task::yield_now().await;
            }
            // Time passes and nothing comes: the connection is dead, though nobody said so.
            server.clock.advance_seconds(6);
            let taken = append(&server, &me, &path, 1000, &wav[1000..2000]).await;
            assert_eq!(taken.status, StatusCode::NO_CONTENT, "{}", taken.text());
        };
        let (first, ()) = tokio::join!(server.send(first), second);
        assert_eq!(
            first.header("upload-offset"),
            "1000",
            "what had come was kept"
        );
        assert_eq!(offset(&server, &me, &path).await, 2000);
        drop(bytes);
    });
}

#[test]
fn what_is_no_recording_is_refused_by_its_bytes_and_leaves_nothing() {
    each_server(async |server| {
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

        // A recording by its first bytes and nothing inside.
        let header = &wav()[..44];
        let path = create(&server, &me, header.len()).await;
        let answer = append(&server, &me, &path, 0, header).await;
        assert!(answer.status.is_client_error(), "{}", answer.text());
        assert!(!answer.code().is_empty());
        assert!(files(&server).is_empty());
    });
}

#[test]
fn two_uploads_of_one_name_do_not_touch_one_another() {
    each_server(async |server| {
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
            let one = create_named(&server, &me, wav.len() as u64, name).await;
            let two = create_named(&server, &me, other.len() as u64, name).await;
            let (one, two) = (one.header("location"), two.header("location"));
            let half = wav.len() / 2;
            append(&server, &me, one, 0, &wav[..half]).await;
            append(&server, &me, two, 0, &other[..100]).await;
            append(&server, &me, one, half, &wav[half..]).await;
            append(&server, &me, two, 100, &other[100..]).await;
            let data = server.state.config.data();
            let stored = |path: &str| {
                std::fs::read(data.join("media").join(path.rsplit('/').next().unwrap())).unwrap()
            };
            assert!(stored(one) == wav && stored(two) == other, "{name}");
            let shown = server.get_as(&me, one).await.json()["filename"]
                .as_str()
                .unwrap()
                .to_owned();
            assert!(
                !shown.is_empty() && !shown.contains(['/', '\u{202e}']),
                "{shown}"
            );
            for path in [one, two] {
                let delete = tus(&server, &me, Method::DELETE, path)
                    .body(Body::empty())
                    .unwrap();
                assert_eq!(server.send(delete).await.status, StatusCode::NO_CONTENT);
            }
        }
        assert!(files(&server).is_empty());
    });
}

#[test]
fn an_upload_expires_and_is_swept_with_files_nobody_owns() {
    each_server(async |server| {
        let me = server.signup("a@example.com").await;
        let path = create(&server, &me, 10_000).await;
        append(&server, &me, &path, 0, &wav()[..1000]).await;
        let orphan = server
            .state
            .config
            .data()
            .join("media/0197f3a0-0000-7000-8000-000000000000");
        std::fs::write(&orphan, "left by a process that died").unwrap();
        server.state.uploads.sweep().await.unwrap();
        assert_eq!(
            files(&server).len(),
            1,
            "the living one stays, the orphan goes"
        );
        server.clock.advance_seconds(LIFETIME_MS / 1000 + 1);
        // The session has expired as well.
        let me = Signed::from(
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

#[test]
fn a_user_has_so_many_uploads_and_no_more() {
    each_server(async |server| {
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

#[test]
fn nobody_reaches_the_upload_of_another() {
    each_server(async |server| {
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

#[test]
fn a_proxy_that_knows_no_patch_is_no_obstacle() {
    each_server(async |server| {
        let me = server.signup("a@example.com").await;
        let wav = wav();
        let path = create(&server, &me, wav.len()).await;
        let by = |method: &'static str, bytes: Vec<u8>| {
            let request = tus(&server, &me, Method::POST, &path)
                .header("x-http-method-override", method)
                .header("content-type", "application/offset+octet-stream")
                .header("upload-offset", 0);
            server.send(request.body(Body::from(bytes)).unwrap())
        };
        assert_eq!(
            by("PATCH", wav.clone()).await.status,
            StatusCode::NO_CONTENT
        );
        assert_eq!(files(&server), [wav]);
        by("PUT", Vec::new())
            .await
            .is_problem(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed");
        assert_eq!(
            by("DELETE", Vec::new()).await.status,
            StatusCode::NO_CONTENT
        );
        assert!(files(&server).is_empty());
    });
}

#[test]
fn a_stopping_server_keeps_what_came() {
    each_server(async |server| {
        let me = server.signup("a@example.com").await;
        let wav = wav();
        let path = create(&server, &me, wav.len()).await;
        let (bytes, came) = tokio::sync::mpsc::unbounded_channel::<Result<Bytes, Infallible>>();
        bytes
            .send(Ok(Bytes::copy_from_slice(&wav[..1000])))
            .unwrap();
        let came = tokio_stream::wrappers::UnboundedReceiverStream::new(came);
        let request = patch(&server, &me, &path, 0)
            .body(Body::from_stream(came))
            .unwrap();
        let stop = async {
            tokio::time::sleep(Duration::from_millis(300)).await;
            server.state.shutdown.cancel();
        };
        let (answer, ()) = tokio::join!(server.send(request), stop);
        assert_eq!(answer.header("upload-offset"), "1000");
        drop(bytes);
    });
}
