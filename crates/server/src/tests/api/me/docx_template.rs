//! Templates of DOCX files: stored, refused, and used in exports.

use std::io::{Cursor, Read, Write};

use axum::body::Body;
use axum::http::{Method, StatusCode, header};
use serde_json::{Value, json};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use super::support::{complete_next, job, send_json, summarise};
use crate::testing::{Answer, Backend, TestServer, TestUser, apply, each_database, with_server};

const PATH: &str = "/api/v1/me/docx-template";

async fn put(server: &TestServer, who: &TestUser, name: &str, file: Vec<u8>) -> Answer {
    let path = format!("{PATH}?name={name}");
    let request = server
        .request(Method::PUT, &path, who)
        .header(header::CONTENT_TYPE, "application/octet-stream");
    server.send(request.body(Body::from(file)).unwrap()).await
}

async fn example(server: &TestServer, who: &TestUser) -> Vec<u8> {
    let answer = server.get_as(who, &format!("{PATH}/example")).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    answer.body.to_vec()
}

fn part(file: &[u8], name: &str) -> String {
    let mut archive = ZipArchive::new(Cursor::new(file)).unwrap();
    let mut content = String::new();
    let mut part = archive.by_name(name).unwrap();
    part.read_to_string(&mut content).unwrap();
    content
}

/// The example with an added or replaced part.
fn with_part(file: &[u8], name: &str, content: &[u8]) -> Vec<u8> {
    let mut archive = ZipArchive::new(Cursor::new(file)).unwrap();
    let mut changed = ZipWriter::new(Cursor::new(Vec::new()));
    for index in 0..archive.len() {
        let mut part = archive.by_index(index).unwrap();
        let part_name = part.name().unwrap().into_owned();
        if part_name == name {
            continue;
        }
        let mut content = Vec::new();
        part.read_to_end(&mut content).unwrap();
        changed
            .start_file(part_name, SimpleFileOptions::default())
            .unwrap();
        changed.write_all(&content).unwrap();
    }
    changed
        .start_file(name, SimpleFileOptions::default())
        .unwrap();
    changed.write_all(content).unwrap();
    changed.finish().unwrap().into_inner()
}

#[apply(each_database!)]
fn a_template_is_stored_returned_replaced_and_removed(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let other = server.signup("b@example.com").await;
        let file = format!("{PATH}/file");
        assert_eq!(
            server.get_as(&me, PATH).await.json(),
            json!({"template": null})
        );
        let missing = server.get_as(&me, &file).await;
        missing.is_problem(StatusCode::NOT_FOUND, "not_found");
        let first = example(&server, &me).await;
        let second = with_part(&first, "word/media/logo.png", b"a logo");
        for (name, expected_name, content) in [
            ("a.docx", "a.docx", &first),
            ("%D0%B1%0A%20.docx", "б .docx", &second),
            ("", "template.docx", &first),
        ] {
            let set = put(&server, &me, name, content.clone()).await;
            assert_eq!(set.status, StatusCode::OK, "{}", set.text());
            let current = server.get_as(&me, PATH).await.json();
            assert_eq!(current["template"], set.json());
            assert_eq!(set.json()["name"], expected_name);
            assert_eq!(set.json()["size"], content.len());
            let answer = server.get_as(&me, &file).await;
            assert_eq!(answer.body.to_vec(), *content, "as it was sent");
            assert!(
                answer
                    .header("content-disposition")
                    .starts_with("attachment; ")
            );
            assert_eq!(answer.header("x-content-type-options"), "nosniff");
        }
        // Other users can neither read nor replace nor delete it.
        assert_eq!(
            server.get_as(&other, PATH).await.json(),
            json!({"template": null})
        );
        assert_eq!(
            server.get_as(&other, &file).await.status,
            StatusCode::NOT_FOUND
        );
        let removed = send_json(&server, &other, Method::DELETE, PATH, &Value::Null).await;
        assert_eq!(removed.status, StatusCode::NO_CONTENT);
        assert_eq!(server.get_as(&me, &file).await.status, StatusCode::OK);
        for path in [PATH, &file, &format!("{PATH}/example")] {
            let nobody = server.get(path).await;
            nobody.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
        }
        for _ in 0..2 {
            let removed = send_json(&server, &me, Method::DELETE, PATH, &Value::Null).await;
            assert_eq!(removed.status, StatusCode::NO_CONTENT);
        }
        assert_eq!(
            server.get_as(&me, PATH).await.json(),
            json!({"template": null})
        );
    });
}

#[apply(each_database!)]
fn invalid_templates_are_refused_and_change_nothing(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let good = example(&server, &me).await;
        put(&server, &me, "good.docx", good.clone()).await;
        let declares = b"<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>";
        let external = b"<Relationships><Relationship Id=\"a\" Type=\"x/image\" \
            Target=\"http://127.0.0.1/a.png\" TargetMode=\"External\"/></Relationships>";
        let bomb = vec![b'0'; 21 * 1024 * 1024];
        for (content, code) in [
            (b"hello".to_vec(), "not_word"),
            (with_part(&good, "word/a.xml", declares), "declares"),
            (with_part(&good, "word/a.xml", b"<a>"), "broken"),
            (with_part(&good, "../a.xml", b"<a/>"), "path"),
            (with_part(&good, "word/vbaProject.bin", b""), "active"),
            (
                with_part(&good, "word/_rels/header1.xml.rels", external),
                "external",
            ),
            (with_part(&good, "word/a.bin", &bomb), "too_much"),
        ] {
            let refused = put(&server, &me, "bad.docx", content).await;
            let code = format!("docx_template_{code}");
            refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, &code);
        }
        // Slightly too large, and too large to be read completely.
        for bytes in [2 * 1024 * 1024 + 1, 4 * 1024 * 1024] {
            let refused = put(&server, &me, "large.docx", vec![b'P'; bytes]).await;
            refused.is_problem(StatusCode::PAYLOAD_TOO_LARGE, "docx_template_too_large");
        }
        let stored = server.get_as(&me, PATH).await.json();
        assert_eq!(stored["template"]["name"], "good.docx");
    });
}

#[apply(each_database!)]
fn exports_use_the_callers_own_template(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let other = server.signup("b@example.com").await;
        let id = job(&server, &me, "Нарада.mp3", b"recording").await;
        complete_next(&server, "Добрий день усім.").await;
        summarise(&server, id).await;
        let template = example(&server, &me).await;
        put(&server, &other, "other.docx", template.clone()).await;
        let path = format!("/api/v1/jobs/{id}/export?format=docx&template=true");
        let form = json!({"jobs": [id], "format": "docx", "template": true});
        for missing in [
            server.get_as(&me, &path).await,
            server.post_as(&me, "/api/v1/exports", &form).await,
        ] {
            missing.is_problem(StatusCode::CONFLICT, "docx_template_missing");
        }
        let template = with_part(&template, "word/media/logo.png", b"a logo");
        put(&server, &me, "own.docx", template.clone()).await;
        let single = server.get_as(&me, &path).await;
        assert_eq!(single.status, StatusCode::OK, "{}", single.text());
        let bulk = server.post_as(&me, "/api/v1/exports", &form).await;
        assert_eq!(bulk.status, StatusCode::OK, "{}", bulk.text());
        let mut archive = ZipArchive::new(Cursor::new(bulk.body.to_vec())).unwrap();
        let mut archived = Vec::new();
        archive
            .by_index(0)
            .unwrap()
            .read_to_end(&mut archived)
            .unwrap();
        for file in [single.body.to_vec(), archived] {
            assert_eq!(part(&file, "word/media/logo.png"), "a logo");
            let styles = "word/styles.xml";
            assert_eq!(part(&file, styles), part(&template, styles));
            let document = part(&file, "word/document.xml");
            for expected in [
                "Нарада",
                "Добрий день усім.",
                "Усі привіталися.",
                "Українська",
            ] {
                assert!(document.contains(expected), "{expected}: {document}");
            }
            assert!(!document.contains("{{"), "{document}");
            assert!(part(&file, "word/header1.xml").contains("Нарада"));
        }
        // Without the template, the file is the usual one.
        let plain = server
            .get_as(&me, &format!("/api/v1/jobs/{id}/export?format=docx"))
            .await;
        assert!(part(&plain.body, "word/styles.xml").contains("\"Facts\""));
        let pdf = path.replace("docx&", "pdf&");
        let refused = server.get_as(&me, &pdf).await;
        refused.is_problem(StatusCode::BAD_REQUEST, "malformed_query");
        let form = json!({"jobs": [id], "format": "txt", "template": true});
        let refused = server.post_as(&me, "/api/v1/exports", &form).await;
        refused.is_problem(StatusCode::BAD_REQUEST, "malformed_json");
        let foreign = server.get_as(&other, &path).await;
        foreign.is_problem(StatusCode::NOT_FOUND, "not_found");
    });
}
