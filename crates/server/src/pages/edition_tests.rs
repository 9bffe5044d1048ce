//! The public pages in both editions and languages, with an empty and with a full configuration.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::tests::PAGES;
use crate::testing::{Backend, TestServer, TestUser, apply, each_database, with_server};
use crate::tests::api::me::support::send_json;

const SITE: &str = "/api/v1/admin/site";

async fn set_site(server: &TestServer, admin: &TestUser, settings: &Value) {
    let answer = send_json(server, admin, Method::PUT, SITE, settings).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
}

fn full_settings(edition: &str) -> Value {
    let words = |uk: &str, en: &str| json!({"uk": uk, "en": en});
    json!({
        "edition": edition,
        "server_name": "Архів слів",
        "purpose": words("Записи архіву стають текстом.", "Recordings of the archive become text."),
        "legal_name": words("ГО «Слова»", "Slova NGO"),
        "email": "arkhiv@slova.org.ua",
        "phone": "+380 44 123 45 67",
        "address": words("Львів", "Lviv"),
        "hours": words("Щодня", "Daily"),
        "hosting": words("У Львові", "In Lviv"),
        "imprint": words("ЄДРПОУ 12345678", "EDRPOU 12345678"),
        "social": [{"name": "Mastodon", "url": "https://mastodon.social/@slova"}],
    })
}

// On one database: it plays no part.
#[test]
fn public_pages_contain_and_link_no_placeholders() {
    with_server(Backend::Sqlite, async |server| {
        let admin = server.signup("admin@example.com").await;
        for settings in [
            json!({"edition": "service"}),
            json!({"edition": "organisation"}),
            full_settings("service"),
            full_settings("organisation"),
        ] {
            set_site(&server, &admin, &settings).await;
            let sells = settings["edition"] == "service";
            let pages = PAGES.into_iter().chain(["/newsletter", "/nothing-here"]);
            for path in pages {
                for lang in ["uk", "en"] {
                    let request = axum::http::Request::get(format!("{path}?lang={lang}"))
                        .header("accept", "text/html");
                    let request = request.body(axum::body::Body::empty()).unwrap();
                    let page = server.send(request).await;
                    let expected = match path {
                        "/nothing-here" => StatusCode::NOT_FOUND,
                        "/pricing" if !sells => StatusCode::NOT_FOUND,
                        _ => StatusCode::OK,
                    };
                    assert_eq!(page.status, expected, "{path} {settings}");
                    // Addresses at example.com are placeholders.
                    let text = page.text().replace("example.com", "");
                    for piece in [
                        ".example",
                        "+380 44 000",
                        "Прикладна",
                        "Prykladna",
                        "github.com",
                    ] {
                        assert!(!text.contains(piece), "{path} {lang}: {piece}");
                    }
                    let links_to_pricing = text.contains("href=\"/pricing");
                    assert!(sells || !links_to_pricing, "{path} {lang} leads to prices");
                }
            }
        }
    });
}

#[apply(each_database!)]
fn pages_are_rendered_again_when_the_site_settings_change(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let etag = async || server.get("/about").await.header("etag").to_owned();
        let before = etag().await;
        assert_eq!(etag().await, before);
        set_site(&server, &admin, &full_settings("organisation")).await;
        let after = etag().await;
        assert_ne!(after, before);
        assert!(server.get("/about").await.text().contains("Архів слів"));
        let map = server.get("/sitemap.xml").await.text();
        assert!(map.contains("/features") && !map.contains("/pricing"));
        set_site(&server, &admin, &json!({})).await;
        assert_eq!(etag().await, before);
        assert!(server.get("/sitemap.xml").await.text().contains("/pricing"));
    });
}
