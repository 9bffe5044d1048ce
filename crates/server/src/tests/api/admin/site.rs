//! The server's data on the public pages: validation, access and display.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::testing::{
    Answer, Backend, PASSWORD, TestServer, TestUser, apply, each_database, with_server,
    with_server_options,
};
use crate::tests::api::jobs::support::make_job;
use crate::tests::api::me::support::send_json;

const PATH: &str = "/api/v1/admin/site";

async fn put(server: &TestServer, who: &TestUser, body: &Value) -> Answer {
    send_json(server, who, Method::PUT, PATH, body).await
}

/// The stored settings with some changes.
async fn settings_with(server: &TestServer, admin: &TestUser, changed: &[(&str, Value)]) -> Value {
    let mut settings = server.get_as(admin, PATH).await.json()["settings"].clone();
    for (field, value) in changed {
        assert!(settings.get(field).is_some(), "{field}");
        settings[field] = value.clone();
    }
    settings
}

#[apply(each_database!)]
fn site_details_are_saved_displayed_and_audited(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let view = server.get_as(&admin, PATH).await.json();
        assert_eq!(view["edition"], "service");
        assert_eq!(view["answered"], false);
        assert_eq!(view["configured_edition"], Value::Null);
        assert_eq!(view["figures"], Value::Null);
        assert_eq!(view["missing"].as_array().unwrap().len(), 10);

        let changed = [
            ("server_name", json!(" Архів слів ")),
            ("email", json!("Arkhiv@Slova.org.ua")),
            ("address", json!({"uk": "Львів", "en": ""})),
            (
                "social",
                json!([{"name": "", "url": "https://mastodon.social/@slova"}]),
            ),
        ];
        let body = settings_with(&server, &admin, &changed).await;
        let answer = put(&server, &admin, &body).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        let view = answer.json();
        assert_eq!(view["settings"]["server_name"], "Архів слів");
        assert_eq!(view["settings"]["email"], "arkhiv@slova.org.ua");
        assert_eq!(view["settings"]["social"][0]["name"], "mastodon.social");
        assert_eq!(view["missing"].as_array().unwrap().len(), 6);
        // Setting the same values again changes nothing and is not logged.
        put(&server, &admin, &view["settings"]).await;
        let page = server.get("/contact?lang=en").await.text();
        assert!(page.contains("mailto:arkhiv@slova.org.ua"));
        assert!(
            page.contains("Львів"),
            "the other language where there is none"
        );

        let mut connection = server.state.db.read().await.unwrap();
        let query = slovo_db::accounts::audit::Filter::default();
        let entries = slovo_db::accounts::audit::list(&mut connection, &query, None, 10)
            .await
            .unwrap();
        let entries: Vec<_> = entries
            .iter()
            .filter(|entry| entry.action == "site.update")
            .collect();
        assert_eq!(entries.len(), 1);
        assert_eq!(
            entries[0].after.as_ref().unwrap()["server_name"],
            "Архів слів"
        );
    });
}

#[apply(each_database!)]
fn only_administrators_can_see_and_change_site_details(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let other = server.signup("other@example.com").await;
        let body = settings_with(&server, &admin, &[]).await;
        let choice = json!({"edition": "organisation"});
        let edition = format!("{PATH}/edition");
        let refused = [
            server.get_as(&other, PATH).await,
            put(&server, &other, &body).await,
            send_json(&server, &other, Method::PUT, &edition, &choice).await,
            server
                .post_as(&other, &format!("{PATH}/preview"), &body)
                .await,
        ];
        for answer in refused {
            answer.is_problem(StatusCode::FORBIDDEN, "forbidden");
        }
        let anonymous = server.get(PATH).await;
        anonymous.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
        assert_eq!(server.get_as(&admin, PATH).await.json()["answered"], false);
    });
}

#[apply(each_database!)]
fn hostile_values_are_refused_with_their_field_and_change_nothing(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let before = settings_with(&server, &admin, &[]).await;
        let long = "х".repeat(6000);
        for (field, value, path, code) in [
            (
                "email",
                json!("hello@slovo.example"),
                "email",
                "email_invalid",
            ),
            (
                "email",
                json!("a@b.ua\r\nBcc: c@d.ua"),
                "email",
                "email_invalid",
            ),
            ("phone", json!("javascript:1"), "phone", "phone_invalid"),
            ("server_name", json!(long), "server_name", "too_long"),
            (
                "imprint",
                json!({"uk": long, "en": ""}),
                "imprint.uk",
                "too_long",
            ),
            (
                "social",
                json!([{"name": "x", "url": "javascript:alert(1)"}]),
                "social.0.url",
                "url_not_https",
            ),
            (
                "social",
                json!([{"name": "x", "url": "http://slova.org.ua"}]),
                "social.0.url",
                "url_not_https",
            ),
            ("social", json!(vec![json!({}); 11]), "social", "too_many"),
            (
                "example_figures",
                json!({"saved": {"uk": "", "en": "1234567890123"}}),
                "example_figures.saved.en",
                "too_long",
            ),
            (
                "own_testimonials",
                json!([{"name": "О", "role": "", "content": "Добре", "rating": 9}]),
                "own_testimonials.0.rating",
                "number_too_large",
            ),
        ] {
            let body = settings_with(&server, &admin, &[(field, value)]).await;
            for answer in [
                put(&server, &admin, &body).await,
                server
                    .post_as(&admin, &format!("{PATH}/preview"), &body)
                    .await,
            ] {
                answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
                let error = &answer.json()["errors"][0];
                assert_eq!(
                    (&error["field"], &error["code"]),
                    (&json!(path), &json!(code))
                );
            }
        }
        for (field, value) in [
            ("edition", json!("shop")),
            ("figures", json!("yes")),
            (
                "example_figures",
                json!({"recordings": {"uk": "1", "en": "1"}}),
            ),
            ("example_figures", json!({"saved": "1"})),
            ("social", json!([{"href": "https://slova.org.ua"}])),
            ("purpose", json!({"uk": "", "en": "", "de": ""})),
            ("imprint", json!("text")),
        ] {
            let body = settings_with(&server, &admin, &[(field, value)]).await;
            let answer = put(&server, &admin, &body).await;
            assert!(
                answer.status.is_client_error(),
                "{field}: {}",
                answer.text()
            );
        }
        assert_eq!(settings_with(&server, &admin, &[]).await, before);
    });
}

#[apply(each_database!)]
fn site_details_are_escaped_on_every_page(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let evil = "\"'><script>alert(1)</script></script>{{name}}";
        let localized = json!({"uk": evil, "en": evil});
        let changed = [
            ("server_name", json!(evil)),
            ("purpose", localized.clone()),
            ("legal_name", localized.clone()),
            ("email", json!("a?bcc=b&x=%0a@slova.org.ua")),
            ("address", localized.clone()),
            ("hours", localized.clone()),
            ("hosting", localized.clone()),
            ("imprint", localized),
            (
                "example_figures",
                json!({"minutes": {"uk": "'\"><script>", "en": "'\"><script>"}}),
            ),
            (
                "social",
                json!([{"name": evil, "url": "https://slova.org.ua/?a=1&b='"}]),
            ),
            (
                "own_testimonials",
                json!([{"name": evil, "role": evil, "content": evil, "rating": 5}]),
            ),
        ];
        for edition in ["service", "organisation"] {
            let mut body = settings_with(&server, &admin, &changed).await;
            body["edition"] = json!(edition);
            let answer = put(&server, &admin, &body).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
            for path in ["/", "/about", "/contact", "/privacy", "/terms", "/features"] {
                let page = server.get(path).await.text();
                assert!(!page.contains("<script>"), "{edition} {path}");
                // In a link it would add a second recipient; in JSON it is harmless.
                assert!(!page.contains("mailto:a?bcc="), "{edition} {path}");
                for script in page.split("<script").skip(1) {
                    let tag = script.split('>').next().unwrap_or_default();
                    let allowed = tag.contains("src=\"/") || tag.contains("application/ld+json");
                    assert!(allowed, "{edition} {path}: {tag}");
                }
            }
        }
    });
}

#[apply(each_database!)]
fn a_draft_is_visible_only_by_its_link_and_for_an_hour(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let draft = [
            ("server_name", json!("Чернетка")),
            ("edition", json!("organisation")),
        ];
        let body = settings_with(&server, &admin, &draft).await;
        let create_preview = async || {
            let answer = server
                .post_as(&admin, &format!("{PATH}/preview"), &body)
                .await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
            answer.json()["path"].as_str().unwrap().to_owned()
        };
        let first = create_preview().await;
        let path = create_preview().await;
        let page = server.get(&path).await;
        assert!(page.text().contains("Чернетка"));
        assert_eq!(page.header("cache-control"), "no-store");
        assert_eq!(page.header("referrer-policy"), "no-referrer");
        assert!(page.header("x-robots-tag").contains("noindex"));
        let token = path.split_once('=').unwrap().1;
        assert!(page.text().contains(&format!("/contact?preview={token}")));
        let pricing = server.get(&format!("/pricing?preview={token}")).await;
        assert_eq!(pricing.status, StatusCode::NOT_FOUND);
        // Other visitors do not see the draft.
        assert!(!server.get("/").await.text().contains("Чернетка"));
        assert_eq!(server.get("/pricing").await.status, StatusCode::OK);
        for wrong in [
            first.as_str(),
            "/?preview=",
            "/?preview=AAAA",
            "/?preview=%ff",
        ] {
            let page = server.get(wrong).await;
            assert!(!page.text().contains("Чернетка"), "{wrong}");
        }
        server.clock.advance_seconds(60 * 60);
        let late = server.get(&path).await;
        assert_eq!(late.status, StatusCode::NOT_FOUND);
        assert!(!late.text().contains("Чернетка"));
    });
}

#[apply(each_database!)]
fn the_chosen_edition_changes_the_public_pages(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let body = settings_with(&server, &admin, &[("server_name", json!("Архів"))]).await;
        put(&server, &admin, &body).await;
        assert_eq!(server.get("/pricing").await.status, StatusCode::OK);
        let path = format!("{PATH}/edition");
        for (edition, status) in [
            ("organisation", StatusCode::NOT_FOUND),
            ("service", StatusCode::OK),
        ] {
            let choice = json!({ "edition": edition });
            let answer = send_json(&server, &admin, Method::PUT, &path, &choice).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
            let view = answer.json();
            assert_eq!(view["edition"], edition);
            assert_eq!(view["answered"], true);
            assert_eq!(view["settings"]["server_name"], "Архів");
            assert_eq!(server.get("/pricing").await.status, status, "{edition}");
        }
        for invalid in [
            json!({}),
            json!({"edition": null}),
            json!({"edition": "Service"}),
        ] {
            let answer = send_json(&server, &admin, Method::PUT, &path, &invalid).await;
            assert!(
                answer.status.is_client_error(),
                "{invalid}: {}",
                answer.text()
            );
        }
    });
}

#[apply(each_database!)]
fn the_configured_edition_applies_until_one_is_chosen(backend: Backend) {
    with_server_options(backend, &["--edition", "organisation"], async |server| {
        let admin = server.signup("admin@example.com").await;
        let view = server.get_as(&admin, PATH).await.json();
        assert_eq!(view["edition"], "organisation");
        assert_eq!(view["configured_edition"], "organisation");
        assert_eq!(view["answered"], true);
        assert_eq!(view["settings"]["edition"], Value::Null);
        assert_eq!(server.get("/pricing").await.status, StatusCode::NOT_FOUND);
        let body = settings_with(&server, &admin, &[("edition", json!("service"))]).await;
        put(&server, &admin, &body).await;
        assert_eq!(server.get("/pricing").await.status, StatusCode::OK);
    });
}

/// Signs the administrator in again, after the clock was advanced.
async fn sign_in_again(server: &TestServer) -> TestUser {
    TestUser::from(&server.login("admin@example.com", PASSWORD).await.json())
}

/// Completes another recording of this duration.
async fn complete_recording(server: &TestServer, who: &TestUser, seconds: i64) {
    let wav = std::fs::read(slovo_test_media::prompts::WELCOME.path()).unwrap();
    make_job(server, who, "a.wav", &wav).await;
    let mut transaction = server.state.db.write().await.unwrap();
    let statement = format!(
        "UPDATE synced_jobs SET status = 'completed', duration = {seconds} WHERE status <> 'completed'"
    );
    slovo_db::testing::execute(&mut transaction, &statement).await;
    transaction.commit().await.unwrap();
}

#[apply(each_database!)]
fn example_figures_can_be_set_and_are_shown_until_real_ones_exist(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let figures = json!({
            "minutes": {"uk": "20 000", "en": "20,000"},
            "accuracy": {"uk": "97,2 %", "en": ""},
        });
        let body = settings_with(&server, &admin, &[("example_figures", figures)]).await;
        let draft = server
            .post_as(&admin, &format!("{PATH}/preview"), &body)
            .await;
        let draft = draft.json()["path"].as_str().unwrap().to_owned();
        assert!(server.get(&draft).await.text().contains("20\u{a0}000"));
        assert!(server.get("/").await.text().contains("12\u{a0}543"));

        let answer = put(&server, &admin, &body).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        let stored = &answer.json()["settings"]["example_figures"];
        assert_eq!(stored["saved"], json!({"uk": "", "en": ""}));
        let page = server.get("/").await.text();
        assert!(page.contains("20\u{a0}000") && page.contains("340\u{a0}год"));
        assert!(!page.contains("12\u{a0}543"));
        let page = server.get("/?lang=en").await.text();
        assert!(page.contains("20,000") && page.contains("97,2\u{a0}%") && page.contains("340h"));
        assert!(page.contains("Example figures."));

        let body = settings_with(&server, &admin, &[("figures", json!(false))]).await;
        put(&server, &admin, &body).await;
        assert!(!server.get("/?lang=en").await.text().contains("20,000"));
        let body = settings_with(&server, &admin, &[("figures", json!(true))]).await;
        put(&server, &admin, &body).await;
        complete_recording(&server, &admin, 60 * 60).await;
        server.clock.advance_seconds(10 * 60);
        let page = server.get("/?lang=en").await.text();
        assert!(page.contains("<dd>60</dd>") && !page.contains("20,000"));
    });
}

#[apply(each_database!)]
fn real_figures_are_shown_after_an_hour_of_recordings(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let page = server.get("/?lang=en").await.text();
        assert!(page.contains("12,543") && page.contains("Example figures."));
        complete_recording(&server, &admin, 59 * 60).await;
        server.clock.advance_seconds(10 * 60);
        assert!(server.get("/?lang=en").await.text().contains("12,543"));
        complete_recording(&server, &admin, 61 * 60).await;
        assert!(
            server.get("/?lang=en").await.text().contains("12,543"),
            "figures are added up every ten minutes"
        );
        server.clock.advance_seconds(10 * 60);
        let page = server.get("/?lang=en").await.text();
        assert!(page.contains("<dd>120</dd>") && page.contains("<dd>2</dd>"));
        assert!(!page.contains("12,543") && !page.contains("Example figures."));
        let view = server
            .get_as(&sign_in_again(&server).await, PATH)
            .await
            .json();
        assert_eq!(view["figures"]["recordings"], 2);
    });
}
