//! Transfers: in one piece, in parts, interrupted, repeated, with checksums.

use std::convert::Infallible;

use axum::body::{Body, Bytes};
use axum::http::{Method, StatusCode};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use futures_util::{StreamExt, stream};
use sha1::Sha1;
use sha2::{Digest, Sha256};
use slovo_test_media::prompts::WELCOME;

use super::support::{append, broken, create, files, offset, patch, tus, wav};
use crate::testing::{Backend, apply, each_database, with_server};

#[apply(each_database!)]
fn a_recording_is_uploaded_in_one_piece_and_described(backend: Backend) {
    with_server(backend, async |server| {
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

/// Wherever a connection breaks, the bytes received are kept and the upload resumes after them.
#[apply(each_database!)]
fn an_upload_resumes_at_the_byte_where_it_broke_off(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let wav = wav();
        // Every offset among the first bytes, around the sizes at which the format is decided, and
        // primes.
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

/// A killed process may have written more than it has stored as the offset; these bytes are
/// dropped.
#[apply(each_database!)]
fn bytes_beyond_the_stored_offset_are_cut_off(backend: Backend) {
    with_server(backend, async |server| {
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

#[apply(each_database!)]
fn a_request_with_a_wrong_checksum_stores_nothing(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let wav = wav();
        let path = create(&server, &me, wav.len()).await;
        append(&server, &me, &path, 0, &wav[..100]).await;
        let append_with = |checksum: String, body: Body| {
            let request = patch(&server, &me, &path, 100).header("upload-checksum", checksum);
            server.send(request.body(body).unwrap())
        };
        let part = &wav[100..6000];
        let sha1 = format!("sha1 {}", BASE64_STANDARD.encode(Sha1::digest(part)));
        let sha256 = format!(
            "sha256 {}",
            BASE64_STANDARD.encode(Sha256::digest(&wav[6000..]))
        );
        let wrong = append_with(sha1.clone(), Body::from(wav[101..6001].to_vec())).await;
        wrong.is_problem(StatusCode::from_u16(460).unwrap(), "checksum_mismatch");
        assert_eq!(offset(&server, &me, &path).await, 100);
        // A part that was cut off cannot be verified.
        append_with(sha1.clone(), broken(&part[..3000])).await;
        assert_eq!(offset(&server, &me, &path).await, 100);
        assert_eq!(files(&server)[0].len(), 100);
        let unknown = append_with("md5 AAAA".to_owned(), Body::from(part.to_vec())).await;
        unknown.is_problem(StatusCode::BAD_REQUEST, "tus_header_invalid");
        let correct = append_with(sha1, Body::from(part.to_vec())).await;
        assert_eq!(correct.status, StatusCode::NO_CONTENT, "{}", correct.text());
        let rest = patch(&server, &me, &path, 6000).header("upload-checksum", sha256);
        let rest = server
            .send(rest.body(Body::from(wav[6000..].to_vec())).unwrap())
            .await;
        assert_eq!(rest.status, StatusCode::NO_CONTENT, "{}", rest.text());
        assert_eq!(files(&server), [wav]);
    });
}

#[apply(each_database!)]
fn an_upload_can_be_created_with_its_first_bytes(backend: Backend) {
    with_server(backend, async |server| {
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

#[apply(each_database!)]
fn a_second_writer_is_refused_until_the_first_one_stalls(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let wav = wav();
        let path = create(&server, &me, wav.len()).await;
        let (bytes, pieces) = tokio::sync::mpsc::channel::<Result<Bytes, Infallible>>(1);
        let thousand = Ok(Bytes::copy_from_slice(&wav[..1000]));
        bytes.send(thousand).await.unwrap();
        let pieces = tokio_stream::wrappers::ReceiverStream::new(pieces);
        let first = patch(&server, &me, &path, 0)
            .body(Body::from_stream(pieces))
            .unwrap();
        let second = async {
            // There is capacity once the first bytes have been taken: then the first writer holds
            // the upload. (Without this wait, the second writer could be first.)
            drop(bytes.reserve().await.unwrap());
            let refused = append(&server, &me, &path, 0, b"").await;
            refused.is_problem(StatusCode::LOCKED, "upload_locked");
            let appended = loop {
                // No bytes arrive for some time: the connection is considered dead.
                server.clock.advance_seconds(6);
                let appended = append(&server, &me, &path, 1000, &wav[1000..2000]).await;
                // Retried if the bytes were taken only just now.
                if appended.status != StatusCode::LOCKED {
                    break appended;
                }
            };
            assert_eq!(
                appended.status,
                StatusCode::NO_CONTENT,
                "{}",
                appended.text()
            );
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

#[apply(each_database!)]
fn the_method_override_header_replaces_patch_and_delete(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let wav = wav();
        let path = create(&server, &me, wav.len()).await;
        let send_as = |method: &'static str, bytes: Vec<u8>| {
            let request = tus(&server, &me, Method::POST, &path)
                .header("x-http-method-override", method)
                .header("content-type", "application/offset+octet-stream")
                .header("upload-offset", 0);
            server.send(request.body(Body::from(bytes)).unwrap())
        };
        assert_eq!(
            send_as("PATCH", wav.clone()).await.status,
            StatusCode::NO_CONTENT
        );
        assert_eq!(files(&server), [wav]);
        send_as("PUT", Vec::new())
            .await
            .is_problem(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed");
        assert_eq!(
            send_as("DELETE", Vec::new()).await.status,
            StatusCode::NO_CONTENT
        );
        assert!(files(&server).is_empty());
    });
}

#[apply(each_database!)]
fn a_stopping_server_keeps_the_received_bytes(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let wav = wav();
        let path = create(&server, &me, wav.len()).await;
        let (second_requested, first_taken) = tokio::sync::oneshot::channel();
        let first = Bytes::copy_from_slice(&wav[..1000]);
        // The second piece is requested after the first was taken; it never arrives.
        let second = async {
            second_requested.send(()).unwrap();
            std::future::pending::<Result<Bytes, Infallible>>().await
        };
        let pieces = stream::iter([Ok(first)]).chain(stream::once(second));
        let request = patch(&server, &me, &path, 0)
            .body(Body::from_stream(pieces))
            .unwrap();
        let stop = async {
            first_taken.await.unwrap();
            server.state.shutdown.cancel();
        };
        let (answer, ()) = tokio::join!(server.send(request), stop);
        assert_eq!(answer.header("upload-offset"), "1000");
    });
}
