use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use serde_json::json;

use crate::testing::{Answer, Backend, TestServer, apply, each_database, with_server};
use crate::tests::api::me::support::send_json;

async fn get(server: &TestServer, path: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = Request::get(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    server.send(request.body(Body::empty()).unwrap()).await
}

async fn post(server: &TestServer, path: &str, form: &str) -> Answer {
    let request = Request::post(path).header("content-type", "application/x-www-form-urlencoded");
    server
        .send(request.body(Body::from(form.to_owned())).unwrap())
        .await
}

pub(super) const PAGES: [&str; 12] = [
    "/",
    "/about",
    "/features",
    "/pricing",
    "/contact",
    "/privacy",
    "/terms",
    "/cookies",
    "/status",
    "/changelog",
    "/docs",
    "/docs/api",
];

#[apply(each_database!)]
fn every_page_exists_in_the_requested_language(backend: Backend) {
    with_server(backend, async |server| {
        for path in PAGES {
            let uk = server.get(path).await;
            assert_eq!(uk.status, StatusCode::OK, "{path}");
            assert_eq!(
                uk.header("content-type"),
                "text/html; charset=utf-8",
                "{path}"
            );
            assert!(
                uk.text().starts_with("<!DOCTYPE html><html lang=\"uk\""),
                "{path}"
            );
            assert_eq!(uk.header("content-language"), "uk");
            assert_eq!(
                uk.header("set-cookie"),
                "",
                "{path}: nothing is set unasked"
            );
            let cookie = get(&server, path, &[("cookie", "a=b; slovo.locale=en")]).await;
            assert!(cookie.text().contains("<html lang=\"en\""), "{path}");
            assert_eq!(cookie.header("set-cookie"), "", "{path}");
            let requested = get(&server, &format!("{path}?lang=en"), &[]).await;
            assert!(requested.text().contains("<html lang=\"en\""), "{path}");
            assert!(
                requested
                    .header("set-cookie")
                    .starts_with("slovo.locale=en;"),
                "{path}"
            );
            let both = get(
                &server,
                &format!("{path}?lang=uk"),
                &[("cookie", "slovo.locale=en")],
            )
            .await;
            assert!(
                both.text().contains("<html lang=\"uk\""),
                "{path}: the address wins"
            );
        }
        for odd in [
            "/?lang=",
            "/?lang=de",
            "/?lang=%3Cscript%3E",
            "/?lang=en%00",
            "/?Lang=en",
        ] {
            let page = server.get(odd).await;
            assert!(page.text().contains("<html lang=\"uk\""), "{odd}");
            assert!(!page.text().contains("<script>"), "{odd}");
            assert_eq!(page.header("set-cookie"), "", "{odd}");
        }
    });
}

#[apply(each_database!)]
fn pages_contain_no_inline_scripts(backend: Backend) {
    with_server(backend, async |server| {
        for path in PAGES {
            let page = server.get(path).await.text();
            for script in page.split("<script").skip(1) {
                let tag = script.split('>').next().unwrap_or_default();
                assert!(
                    tag.contains("src=\"/") || tag.contains("application/ld+json"),
                    "{path}: {tag}"
                );
            }
        }
    });
}

#[apply(each_database!)]
fn an_unchanged_page_is_not_sent_again(backend: Backend) {
    with_server(backend, async |server| {
        let first = server.get("/about").await;
        let etag = first.header("etag").to_owned();
        assert_eq!(first.header("cache-control"), "private, no-cache");
        let again = get(&server, "/about", &[("if-none-match", &etag)]).await;
        assert_eq!(again.status, StatusCode::NOT_MODIFIED);
        let other = [
            ("if-none-match", etag.as_str()),
            ("cookie", "slovo.locale=en"),
        ];
        assert_eq!(get(&server, "/about", &other).await.status, StatusCode::OK);
        let compressed = get(&server, "/about", &[("accept-encoding", "gzip")]).await;
        assert_eq!(compressed.header("content-encoding"), "gzip");
        let varies = compressed.header("vary").to_owned();
        assert!(varies.contains("accept-encoding"), "{varies}");
    });
}

#[apply(each_database!)]
fn an_unknown_path_gets_a_not_found_page(backend: Backend) {
    with_server(backend, async |server| {
        for path in [
            "/nothing",
            "/admin/nothing",
            "/about/more",
            "/%D1%96",
            "/wp-login",
        ] {
            let page = get(&server, path, &[("accept", "text/html,*/*")]).await;
            assert_eq!(page.status, StatusCode::NOT_FOUND, "{path}");
            assert!(page.text().contains("Ой! Сторінку не знайдено"), "{path}");
            assert!(page.text().contains("noindex"), "{path}");
        }
        let english = get(&server, "/nothing?lang=en", &[("accept", "text/html")]).await;
        assert!(english.text().contains("Oops! Page not found"));
    });
}

#[apply(each_database!)]
fn robots_and_sitemap_are_served(backend: Backend) {
    with_server(backend, async |server| {
        let robots = server.get("/robots.txt").await;
        assert_eq!(robots.status, StatusCode::OK);
        assert!(robots.text().contains("/sitemap.xml"));
        assert!(robots.text().contains("Disallow: /api/"));
        let sitemap = server.get("/sitemap.xml").await;
        assert_eq!(sitemap.header("content-type"), "application/xml");
        assert!(sitemap.text().contains("/pricing?lang=en</loc>"));
    });
}

#[apply(each_database!)]
fn a_message_sent_without_scripts_is_confirmed(backend: Backend) {
    with_server(backend, async |server| {
        let sent = post(
            &server,
            "/contact",
            "first_name=Olha&last_name=Koval&email=olha%40example.com&message=Hello&locale=en&website=",
        )
        .await;
        assert_eq!(sent.status, StatusCode::SEE_OTHER, "{}", sent.text());
        assert_eq!(sent.header("location"), "/contact?sent=1&lang=en#form");
        let thanks = server.get("/contact?sent=1&lang=en").await;
        assert!(
            thanks
                .text()
                .contains("Thank you! We will contact you soon.")
        );
        assert_eq!(thanks.header("cache-control"), "no-store");
        assert!(
            !server
                .get("/contact?lang=en")
                .await
                .text()
                .contains("Thank you! We will")
        );
    });
}

#[apply(each_database!)]
fn an_invalid_message_returns_the_form_with_input_and_errors(backend: Backend) {
    with_server(backend, async |server| {
        let typed = "first_name=%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E&last_name=&email=nobody&message=%3Cb%3Ehi&locale=uk";
        let page = post(&server, "/contact", typed).await;
        assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY);
        let text = page.text();
        assert!(
            text.contains("Введіть правильну адресу електронної пошти."),
            "{text}"
        );
        assert!(text.contains("aria-invalid=\"true\""));
        assert!(text.contains("value=\"nobody\""));
        assert!(!text.contains("<script>alert"), "typed text stays text");
        assert!(text.contains("&lt;b&gt;hi") || text.contains("&lt;b>hi"));
        for broken in ["", "first_name", "%ff=%ff", "locale=de", "a=b&&&"] {
            let page = post(&server, "/contact", broken).await;
            assert!(page.status.is_client_error(), "{broken}: {}", page.status);
            assert!(page.text().contains("contact-email"), "{broken}");
        }
        let huge = format!("message={}", "a".repeat(100 * 1024));
        assert!(
            post(&server, "/contact", &huge)
                .await
                .status
                .is_client_error()
        );
        let json = Request::post("/contact").header("content-type", "application/json");
        let json = server.send(json.body(Body::from("{}")).unwrap()).await;
        assert!(json.status.is_client_error());
    });
}

#[apply(each_database!)]
fn too_many_messages_are_rate_limited(backend: Backend) {
    with_server(backend, async |server| {
        let form = "first_name=A&last_name=B&email=a%40example.com&message=C&locale=en";
        let mut last = StatusCode::OK;
        for _ in 0..40 {
            last = post(&server, "/contact", form).await.status;
        }
        assert_eq!(last, StatusCode::TOO_MANY_REQUESTS);
    });
}

#[apply(each_database!)]
fn the_newsletter_form_and_its_links_work_without_scripts(backend: Backend) {
    with_server(backend, async |server| {
        let sent = post(
            &server,
            "/newsletter",
            "email=reader%40example.com&locale=uk&website=",
        )
        .await;
        assert_eq!(sent.status, StatusCode::SEE_OTHER);
        assert!(
            server
                .get("/newsletter?sent=1")
                .await
                .text()
                .contains("Майже готово")
        );
        let wrong = post(&server, "/newsletter", "email=reader&locale=uk").await;
        assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(wrong.text().contains("value=\"reader\""));
        let link = server.get("/newsletter/confirm?token=%22%3E%3Cb%3E").await;
        assert_eq!(link.status, StatusCode::OK);
        assert!(!link.text().contains("\"><b>"));
        assert_eq!(link.header("referrer-policy"), "no-referrer");
        for path in ["/newsletter/confirm", "/newsletter/leave"] {
            let unknown = post(&server, path, "token=nothing").await;
            assert_eq!(unknown.status, StatusCode::NOT_FOUND, "{path}");
            assert!(unknown.text().contains("Це посилання не працює"), "{path}");
        }
    });
}

#[apply(each_database!)]
fn the_cookie_choice_is_stored_and_shown(backend: Backend) {
    with_server(backend, async |server| {
        let saved = post(&server, "/cookies", "statistics=on").await;
        assert_eq!(saved.status, StatusCode::SEE_OTHER);
        let cookie = saved.header("set-cookie").to_owned();
        assert!(
            cookie.starts_with("slovo.consent=1.statistics;"),
            "{cookie}"
        );
        let none = post(&server, "/cookies", "").await;
        assert!(none.header("set-cookie").starts_with("slovo.consent=1.;"));
        let checked = |page: &str, name: &str| {
            let from = page.find(&format!("name=\"{name}\"")).unwrap();
            let before = page[..from].rfind('<').unwrap();
            let tag = &page[before..before + page[before..].find('>').unwrap()];
            tag.contains("checked")
        };
        let page = get(
            &server,
            "/cookies",
            &[("cookie", "slovo.consent=1.statistics")],
        )
        .await;
        assert!(checked(&page.text(), "statistics"));
        assert!(!checked(&page.text(), "preferences"));
        let old = get(
            &server,
            "/cookies",
            &[("cookie", "slovo.consent=0.statistics")],
        )
        .await;
        assert!(!checked(&old.text(), "statistics"));
    });
}

#[apply(each_database!)]
fn the_status_page_reports_a_failed_database(backend: Backend) {
    with_server(backend, async |server| {
        let healthy = server.get("/status?lang=en").await;
        assert_eq!(healthy.status, StatusCode::OK);
        assert_eq!(healthy.header("cache-control"), "no-store");
        server.state.db.close().await;
        // The report is cached for a second.
        tokio::time::sleep(std::time::Duration::from_millis(1100)).await;
        let failed = server.get("/status?lang=en").await;
        assert_eq!(failed.status, StatusCode::OK);
        assert_ne!(healthy.text(), failed.text());
        assert!(!failed.text().contains("pool"), "causes stay in the log");
    });
}

#[apply(each_database!)]
fn machine_readable_files_are_served(backend: Backend) {
    with_server(backend, async |server| {
        let security = server.get("/.well-known/security.txt").await;
        assert_eq!(security.header("content-type"), "text/plain; charset=utf-8");
        assert!(
            security.text().contains("Expires: 2026-08-"),
            "{}",
            security.text()
        );
        for (path, lang) in [
            ("/site.webmanifest", "uk"),
            ("/site.webmanifest?lang=en", "en"),
        ] {
            let manifest = server.get(path).await;
            assert_eq!(manifest.header("content-type"), "application/manifest+json");
            assert_eq!(manifest.json()["lang"], lang);
            assert!(manifest.header("vary").contains("cookie"));
        }
        let feed = server.get("/changelog.xml?lang=en").await;
        assert_eq!(
            feed.header("content-type"),
            "application/atom+xml; charset=utf-8"
        );
        let document =
            roxmltree::Document::parse(std::str::from_utf8(&feed.body).unwrap()).unwrap();
        let entries = document
            .descendants()
            .filter(|node| node.has_tag_name(("http://www.w3.org/2005/Atom", "entry")));
        assert!(entries.count() > 0);
        let newest = concat!("#v", env!("CARGO_PKG_VERSION"));
        assert!(
            feed.text().contains(newest),
            "this version stands in the changelog"
        );
        let moved = server.get("/security.txt").await;
        assert_eq!(moved.header("location"), "/.well-known/security.txt");
    });
}

#[apply(each_database!)]
fn switched_off_forms_are_not_shown(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let path = "/api/v1/admin/settings";
        let stored = server.get_as(&admin, path).await.json()["settings"].clone();
        let switch = async |on: bool| {
            let mut settings = stored.clone();
            for name in ["sign_up", "contact_form", "newsletter"] {
                settings["switches"][name] = json!(on);
            }
            let answer = send_json(&server, &admin, Method::PUT, path, &settings).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        };
        let visible_forms = async || {
            let home = server.get("/?lang=en").await.text();
            let contact = server.get("/contact?lang=en").await.text();
            let newsletter = server.get("/newsletter?lang=en").await.text();
            [
                home.contains("/signup"),
                contact.contains("action=\"/contact\""),
                home.contains("action=\"/newsletter\""),
                newsletter.contains("action=\"/newsletter\""),
            ]
        };
        assert_eq!(visible_forms().await, [true; 4]);
        switch(false).await;
        assert_eq!(visible_forms().await, [false; 4]);
        switch(true).await;
        assert_eq!(visible_forms().await, [true; 4]);
    });
}
