//! Files with subtitles in two languages.

use axum::http::StatusCode;
use serde_json::json;

use super::{finished_overview, stop, with_a_text};
use crate::testing::{Backend, apply, each_database};

#[apply(each_database!)]
fn bilingual_subtitles_have_the_translation_below(backend: Backend) {
    with_a_text(backend, async |page, _engine| {
        let (server, who) = (page.server, page.who);
        let export = async |query: &str| {
            let path = format!("{}/export?{query}", page.path);
            server.get_as(who, &path).await
        };
        let both = "format=srt&translation=ukrainian";
        let early = export(both).await;
        early.is_problem(StatusCode::CONFLICT, "translation_not_ready");

        server.start_work().await;
        let request = json!({"part": "subtitle_translation", "target": "ukrainian"});
        let accepted = page.ask(&request).await;
        assert_eq!(accepted.status, StatusCode::ACCEPTED, "{}", accepted.text());
        finished_overview(server, who, &page.path).await;
        for query in [both, "format=vtt&translation=ukrainian"] {
            let file = export(query).await;
            assert_eq!(file.status, StatusCode::OK, "{}", file.text());
            let file = file.text();
            assert!(file.contains("Перше речення.\nПЕРШЕ РЕЧЕННЯ.\n"), "{file}");
            assert!(file.contains("Друге речення.\nДРУГЕ РЕЧЕННЯ.\n"), "{file}");
        }
        assert!(!export("format=srt").await.text().contains("ПЕРШЕ"));
        let other = export("format=srt&translation=french").await;
        other.is_problem(StatusCode::CONFLICT, "translation_not_ready");
        for query in [
            "format=txt&translation=ukrainian",
            "format=srt&translation=klingon",
        ] {
            let refused = export(query).await;
            refused.is_problem(StatusCode::BAD_REQUEST, "malformed_query");
        }
        stop(server).await;
    });
}
