//! Exports of one job and of several.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use axum::http::StatusCode;
use serde_json::json;
use zip::ZipArchive;

use crate::testing::{Answer, Backend, apply, each_database, with_server};
use crate::tests::api::jobs::edits::support::{Page, complete, talk};
use crate::tests::api::me::support::job;

/// The files of an archive, by name.
fn files(answer: &Answer) -> BTreeMap<String, Vec<u8>> {
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    let mut archive = ZipArchive::new(Cursor::new(answer.body.to_vec())).unwrap();
    let mut all = BTreeMap::new();
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).unwrap();
        let mut content = Vec::new();
        file.read_to_end(&mut content).unwrap();
        all.insert(file.name().unwrap().into_owned(), content);
    }
    all
}

#[apply(each_database!)]
fn the_edited_text_is_exported_in_every_format(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день.", "Вітаю вас."]).await;
        page.edit(json!({"kind": "rename_speaker", "speaker": "SPEAKER_1", "name": "Олена"}))
            .await;
        for (query, expected, unexpected) in [
            ("txt&timestamps=false", "Олена: Вітаю", "00:00"),
            ("txt", "[00:00:04] Олена", "SPEAKER"),
            ("md&speakers=false", "Вітаю вас.", "Олена"),
            ("csv", "\"Олена\",\"Вітаю", "SPEAKER"),
            ("srt&timestamps=false", "00:00:04,000", "SPEAKER"),
            ("vtt&speakers=false", "00:00:04.000", "Олена"),
            ("json", "\"Олена\"", "nothing of this"),
        ] {
            let path = format!("{}/export?format={query}", page.path);
            let answer = server.get_as(&me, &path).await;
            assert_eq!(answer.status, StatusCode::OK, "{query}");
            let text = answer.text();
            assert!(
                text.contains(expected) && !text.contains(unexpected),
                "{query}: {text}"
            );
        }
        for (format, begins, kind) in [
            ("pdf", &b"%PDF"[..], "application/pdf"),
            ("docx", b"PK", "application/vnd.openxml"),
        ] {
            let path = format!("{}/export?format={format}", page.path);
            let answer = server.get_as(&me, &path).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
            assert!(answer.body.starts_with(begins));
            assert!(answer.header("content-type").starts_with(kind));
            assert!(answer.header("content-disposition").contains(format));
        }
        let unknown = format!("{}/export?format=odt", page.path);
        let unknown = server.get_as(&me, &unknown).await;
        unknown.is_problem(StatusCode::BAD_REQUEST, "unknown_format");
        let version = format!("{}/export?format=txt&version=7", page.path);
        let version = server.get_as(&me, &version).await;
        version.is_problem(StatusCode::CONFLICT, "transcript_not_ready");
    });
}

#[apply(each_database!)]
fn several_jobs_are_exported_as_one_archive_with_unique_names(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let first = Page::on(&server, &me, &["Перша."]).await;
        let second = Page::on(&server, &me, &["Друга."]).await;
        let pending = job(&server, &me, "..\\порожня\u{202e}.wav", b"recording").await;
        let jobs = [first.job, second.job, first.job, pending];
        let form = json!({"jobs": jobs, "format": "txt", "speakers": false, "timestamps": false});
        let answer = server.post_as(&me, "/api/v1/exports", &form).await;
        assert_eq!(answer.header("content-type"), "application/zip");
        let files = files(&answer);
        let names: Vec<&str> = files.keys().map(String::as_str).collect();
        assert_eq!(names, ["1-розмова.txt", "2-розмова.txt", "skipped.txt"]);
        assert_eq!(files["1-розмова.txt"], "Перша.\n".as_bytes());
        assert_eq!(files["2-розмова.txt"], "Друга.\n".as_bytes());
        let skipped = String::from_utf8(files["skipped.txt"].clone()).unwrap();
        assert!(skipped.contains("transcript_not_ready"), "{skipped}");
        assert_eq!(skipped.lines().count(), 1);
    });
}

#[apply(each_database!)]
fn jobs_of_others_and_too_many_jobs_are_not_exported(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let other = server.signup("b@example.com").await;
        let mine = Page::on(&server, &me, &["Моя."]).await;
        let foreign = job(&server, &other, "theirs.wav", b"recording").await;
        complete(&server, &talk(&["Чужа."])).await;
        let post = async |jobs: Vec<uuid::Uuid>, format: &str| {
            let form = json!({"jobs": jobs, "format": format});
            server.post_as(&me, "/api/v1/exports", &form).await
        };
        post(vec![mine.job, foreign], "txt")
            .await
            .is_problem(StatusCode::NOT_FOUND, "not_found");
        post(vec![mine.job], "odt")
            .await
            .is_problem(StatusCode::BAD_REQUEST, "unknown_format");
        for jobs in [vec![], vec![mine.job; 101]] {
            post(jobs, "txt")
                .await
                .is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        }
        assert_eq!(files(&post(vec![mine.job; 100], "md").await).len(), 1);
    });
}

#[apply(each_database!)]
fn a_plan_without_export_formats_has_txt_and_vtt_only(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let demo = slovo_rules::plan::DemoPlan::for_paid_service();
        let mut transaction = server.state.db.write().await.unwrap();
        slovo_db::site::server_settings::set(
            &mut transaction,
            slovo_db::plans::ledger::DEMO,
            &demo,
            5,
        )
        .await
        .unwrap();
        transaction.commit().await.unwrap();
        let export = async |format: &str| {
            let path = format!("{}/export?format={format}", page.path);
            server.get_as(&me, &path).await
        };
        let id = page.path.rsplit('/').next().unwrap();
        let many = async |format: &str| {
            let form = json!({"jobs": [id], "format": format});
            server.post_as(&me, "/api/v1/exports", &form).await
        };
        for format in ["txt", "vtt"] {
            assert_eq!(export(format).await.status, StatusCode::OK, "{format}");
            assert_eq!(many(format).await.status, StatusCode::OK, "{format}");
        }
        for format in ["srt", "ttml", "stl", "json", "csv", "md", "docx", "pdf"] {
            for answer in [export(format).await, many(format).await] {
                answer.is_problem(StatusCode::FORBIDDEN, "format_not_in_plan");
                assert_eq!(answer.json()["params"]["format"], format.to_uppercase());
            }
        }
        export("exe")
            .await
            .is_problem(StatusCode::BAD_REQUEST, "unknown_format");
    });
}

#[apply(each_database!)]
fn subtitle_exports_follow_the_requested_limits(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let export = async |query: &str| {
            let path = format!("{}/export?{query}", page.path);
            server.get_as(&me, &path).await
        };
        let default_text = export("format=srt").await.text();
        for query in ["offset=3.5", "max_seconds=2&preset=bbc"] {
            let other = export(&format!("format=srt&{query}")).await;
            assert_eq!(other.status, StatusCode::OK, "{query}");
            assert_ne!(other.text(), default_text, "{query}");
        }
        for query in [
            "max_columns=19",
            "max_cps=NaN",
            "offset=1e9",
            "gap_frames=13",
        ] {
            let refused = export(&format!("format=srt&{query}")).await;
            refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        }
        for query in ["preset=cinema", "max_lines=two", "max_columns=-1"] {
            let refused = export(&format!("format=srt&{query}")).await;
            refused.is_problem(StatusCode::BAD_REQUEST, "malformed_query");
        }
        let id = page.path.rsplit('/').next().unwrap();
        let form = json!({"jobs": [id], "format": "stl", "subtitles": {"preset": "netflix", "frame_rate": 30}});
        let many = server.post_as(&me, "/api/v1/exports", &form).await;
        assert_eq!(many.status, StatusCode::OK);
        let form = json!({"jobs": [id], "format": "stl", "subtitles": {"max_seconds": 1}});
        let refused = server.post_as(&me, "/api/v1/exports", &form).await;
        refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
    });
}

#[apply(each_database!)]
fn exports_use_the_requested_layout(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Що таке ґрунт?", "Це земля."]).await;
        let export = async |query: &str| {
            let path = format!("{}/export?timestamps=false&{query}", page.path);
            server.get_as(&me, &path).await
        };
        for (query, expected) in [
            ("format=txt&layout=questions", "З. Що таке ґрунт?\n"),
            (
                "format=txt&layout=questions&asks=SPEAKER_1",
                "З. Це земля.\n",
            ),
            ("format=txt&layout=numbered", "\n 1  "),
            ("format=md&layout=table", "| Мовець | Текст |"),
        ] {
            let answer = export(query).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
            assert!(
                answer.text().contains(expected),
                "{query}: {}",
                answer.text()
            );
        }
        let default_text = export("format=md").await.text();
        let same = export("format=md&layout=paragraphs&asks=nobody")
            .await
            .text();
        assert_eq!(default_text, same);
        for (query, field) in [
            ("format=md&layout=numbered", "layout"),
            ("format=srt&layout=table", "layout"),
            ("format=json&layout=questions", "layout"),
            ("format=txt&layout=questions&asks=SPEAKER_9", "asks"),
        ] {
            let refused = export(query).await;
            refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
            assert_eq!(refused.json()["errors"][0]["field"], field, "{query}");
        }
        let unknown = export("format=txt&layout=circle").await;
        unknown.is_problem(StatusCode::BAD_REQUEST, "malformed_query");
        let id = page.path.rsplit('/').next().unwrap();
        let many = async |format: &str| {
            let form = json!({"jobs": [id], "format": format, "layout": "numbered"});
            server.post_as(&me, "/api/v1/exports", &form).await
        };
        let text = files(&many("txt").await).remove("1-розмова.txt").unwrap();
        assert!(String::from_utf8(text).unwrap().contains("\n 1  "));
        let refused = many("md").await;
        refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        assert_eq!(refused.json()["errors"][0]["field"], "layout");
    });
}
