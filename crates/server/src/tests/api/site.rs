//! The forms of the public pages, valid and invalid.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use serde_json::{Value, json};
use slovo_db::site::{contact, newsletter};

use crate::testing::{Answer, Backend, TestServer, TestUser, apply, each_database, with_server};

const CONTACT: &str = "/api/v1/contact";
const NEWSLETTER: &str = "/api/v1/newsletter";

fn form() -> Value {
    json!({"first_name": "Олена", "last_name": "Пчілка", "email": "a@example.com",
        "message": "Доброго дня!", "locale": "uk"})
}

/// The form with another value in one field.
fn form_with(field: &str, value: impl Into<Value>) -> Value {
    let mut form = form();
    form[field] = value.into();
    form
}

/// Number of stored messages and addresses.
async fn stored_counts(server: &TestServer) -> (i64, i64) {
    let mut connection = server.state.db.read().await.unwrap();
    let messages = contact::count(&mut connection).await.unwrap().total;
    let addresses = newsletter::count(&mut connection).await.unwrap();
    (messages, addresses.total)
}

/// `field: code` of every violation.
fn violations(answer: &Answer) -> Vec<String> {
    answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
    let document = answer.json();
    let errors = document["errors"].as_array().unwrap().iter();
    let describe = |error: &Value| {
        let text = |name: &str| error[name].as_str().unwrap().to_owned();
        format!("{}: {}", text("field"), text("code"))
    };
    errors.map(describe).collect()
}

async fn sign_in(server: &TestServer) -> TestUser {
    server.signup("admin@example.com").await
}

#[apply(each_database!)]
fn administrators_see_messages_and_subscriptions(backend: Backend) {
    with_server(backend, async |server| {
        let admin = sign_in(&server).await;
        let sent = server.post(CONTACT, &form()).await;
        assert_eq!(sent.status, StatusCode::ACCEPTED, "{}", sent.text());
        assert_eq!(sent.text(), "");
        let subscription = json!({"email": "B@example.com", "locale": "en"});
        let subscription = server.post(NEWSLETTER, &subscription).await;
        assert_eq!(
            subscription.status,
            StatusCode::ACCEPTED,
            "{}",
            subscription.text()
        );

        let path = "/api/v1/admin/contact-messages";
        let mut page = server.get_as(&admin, path).await.json();
        let id = page["items"][0]["id"].take();
        assert_eq!(id.as_str().unwrap().len(), 36);
        let expected = json!({"items": [{"id": null, "first_name": "Олена",
            "last_name": "Пчілка", "email": "a@example.com", "message": "Доброго дня!",
            "locale": "uk", "created_at": "2026-03-01T12:00:00Z", "mailed_at": null, "handled_at": null}],
            "next_cursor": null, "total": 1, "open": 1});
        assert_eq!(page, expected);

        let path = "/api/v1/admin/newsletter";
        let mut page = server.get_as(&admin, path).await.json();
        page["items"][0]["id"].take();
        let expected = json!({"items": [{"id": null, "email": "b@example.com", "locale": "en",
            "created_at": "2026-03-01T12:00:00Z", "confirmed_at": null, "left_at": null}],
            "next_cursor": null, "total": 1, "subscribed": 0});
        assert_eq!(page, expected);
    });
}

#[apply(each_database!)]
fn missing_too_long_and_invalid_fields_are_reported(backend: Backend) {
    with_server(backend, async |server| {
        let nothing = server.post(CONTACT, &json!({})).await;
        let required = [
            "first_name: first_name_required",
            "last_name: last_name_required",
            "email: email_required",
            "message: message_required",
        ];
        assert_eq!(violations(&nothing), required);
        for (field, value, code) in [
            ("first_name", " \u{0}\t".to_owned(), "first_name_required"),
            ("last_name", "a".repeat(101), "too_long"),
            ("message", "ї".repeat(5001), "too_long"),
            ("message", "\r\n\u{1b}".to_owned(), "message_required"),
            ("email", "a@b".to_owned(), "email_invalid"),
            (
                "email",
                "a@example.com\r\nBcc: b@example.com".to_owned(),
                "email_invalid",
            ),
            ("email", "a\u{0}@example.com".to_owned(), "email_invalid"),
            (
                "email",
                format!("{}@example.com", "a".repeat(300)),
                "too_long",
            ),
        ] {
            let answer = server.post(CONTACT, &form_with(field, value.clone())).await;
            assert_eq!(
                violations(&answer),
                [format!("{field}: {code}")],
                "{value:?}"
            );
        }
        for (email, code) in [
            ("", "email_required"),
            ("a b@example.com", "email_invalid"),
            ("a@example.com\nBcc: b@example.com", "email_invalid"),
            // A mail server would not accept these.
            ("олена@example.com", "email_invalid"),
            ("a@[127.0.0.1].x", "email_invalid"),
            ("\"a\"@example.com", "email_invalid"),
        ] {
            let answer = server.post(NEWSLETTER, &json!({"email": email})).await;
            assert_eq!(violations(&answer), [format!("email: {code}")], "{email:?}");
        }
        assert_eq!(
            violations(&server.post(NEWSLETTER, &json!({})).await).len(),
            1
        );
        assert_eq!(stored_counts(&server).await, (0, 0));
    });
}

#[apply(each_database!)]
fn malformed_forms_are_refused(backend: Backend) {
    with_server(backend, async |server| {
        for path in [
            CONTACT,
            NEWSLETTER,
            "/api/v1/newsletter/confirm",
            "/api/v1/newsletter/leave",
        ] {
            let send = async |kind: &str, body: &str| {
                let request = Request::post(path).header(header::CONTENT_TYPE, kind);
                let body = Body::from(body.to_owned());
                server.send(request.body(body).unwrap()).await
            };
            let json = "application/json";
            let broken = send(json, "{\"email\": ").await;
            broken.is_problem(StatusCode::BAD_REQUEST, "malformed_json");
            for other in [
                "[1]",
                "\"x\"",
                "null",
                r#"{"email": 1, "token": 1}"#,
                r#"{"email": ["a@example.com"], "token": []}"#,
                r#"{"website": false, "token": null}"#,
                r#"{"locale": "ru", "token": {}}"#,
            ] {
                let answer = send(json, other).await;
                answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "unexpected_json");
            }
            let plain = send("application/x-www-form-urlencoded", "email=a@example.com").await;
            plain.is_problem(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type");
            let large = format!("{{\"message\": \"{}\"}}", "a".repeat(1024 * 1024));
            let large = send(json, &large).await;
            large.is_problem(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large");
            let read = server.get(path).await;
            read.is_problem(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed");
        }
        assert_eq!(stored_counts(&server).await, (0, 0));
    });
}

#[apply(each_database!)]
fn messages_are_stored_as_plain_text(backend: Backend) {
    with_server(backend, async |server| {
        let mut hostile = form_with(
            "message",
            "<script>alert(1)</script>\r\n\u{0}'; DROP TABLE x;--",
        );
        hostile["first_name"] = json!("Ann\r\nBcc: b@example.com");
        hostile["last_name"] = json!("<b>\u{202e}Lee</b>");
        let sent = server.post(CONTACT, &hostile).await;
        assert_eq!(sent.status, StatusCode::ACCEPTED, "{}", sent.text());
        let mut connection = server.state.db.read().await.unwrap();
        let stored = contact::list(&mut connection, None, 9).await.unwrap();
        assert_eq!(stored[0].first_name, "Ann  Bcc: b@example.com");
        assert_eq!(stored[0].last_name, "<b>Lee</b>");
        let message = "<script>alert(1)</script>\n'; DROP TABLE x;--";
        assert_eq!(stored[0].message, message);
    });
}

#[apply(each_database!)]
fn a_filled_in_spam_trap_answers_the_same_and_stores_nothing(backend: Backend) {
    with_server(backend, async |server| {
        let trapped = form_with("website", "https://spam.example");
        let answer = server.post(CONTACT, &trapped).await;
        let usual = server.post(CONTACT, &form_with("website", "")).await;
        assert_eq!(answer.for_snapshot(), usual.for_snapshot());
        let trapped = json!({"email": "a@example.com", "website": "x"});
        let answer = server.post(NEWSLETTER, &trapped).await;
        assert_eq!(answer.status, StatusCode::ACCEPTED);
        assert_eq!(stored_counts(&server).await, (1, 0));
    });
}

#[apply(each_database!)]
fn a_network_can_send_ten_messages_per_hour(backend: Backend) {
    with_server(backend, async |server| {
        let bad = server.post(CONTACT, &form_with("email", "x")).await;
        assert_eq!(violations(&bad).len(), 1, "a mistake costs nothing");
        for _ in 0..10 {
            let sent = server.post(CONTACT, &form()).await;
            assert_eq!(sent.status, StatusCode::ACCEPTED);
        }
        let refused = server.post(CONTACT, &form()).await;
        refused.is_problem(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
        assert_eq!(refused.header("retry-after"), "360");
        let other = server.post_from("198.51.100.7", CONTACT, &form()).await;
        assert_eq!(other.status, StatusCode::ACCEPTED);
        server.clock.advance_seconds(360);
        let later = server.post(CONTACT, &form()).await;
        assert_eq!(later.status, StatusCode::ACCEPTED);
    });
}

#[apply(each_database!)]
fn subscriptions_are_limited_per_network_and_per_address(backend: Backend) {
    with_server(backend, async |server| {
        for number in 0..20 {
            let subscription = json!({"email": format!("{number}@example.com")});
            let answer = server.post(NEWSLETTER, &subscription).await;
            assert_eq!(answer.status, StatusCode::ACCEPTED);
        }
        let subscription = json!({"email": "21@example.com"});
        let refused = server.post(NEWSLETTER, &subscription).await;
        refused.is_problem(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
        assert_eq!(refused.header("retry-after"), "180");
        // From many networks.
        for number in 1..=3 {
            let peer = format!("198.51.100.{number}");
            let answer = server.post_from(&peer, NEWSLETTER, &subscription).await;
            assert_eq!(answer.status, StatusCode::ACCEPTED);
        }
        let refused = server
            .post_from("198.51.100.4", NEWSLETTER, &subscription)
            .await;
        refused.is_problem(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
        assert_eq!(refused.header("retry-after"), "1200");
    });
}

#[apply(each_database!)]
fn invalid_newsletter_links_do_nothing(backend: Backend) {
    with_server(backend, async |server| {
        for path in ["/api/v1/newsletter/confirm", "/api/v1/newsletter/leave"] {
            for token in [
                "",
                "x",
                "\u{0}",
                "00000000-0000-4000-8000-000000000000",
                "ї",
            ] {
                let answer = server.post(path, &json!({"token": token})).await;
                answer.is_problem(StatusCode::GONE, "newsletter_link_invalid");
            }
            let forged = "A".repeat(43);
            let answer = server.post(path, &json!({"token": forged})).await;
            answer.is_problem(StatusCode::GONE, "newsletter_link_invalid");
        }
    });
}

#[apply(each_database!)]
fn administrators_page_through_messages_and_subscriptions(backend: Backend) {
    with_server(backend, async |server| {
        let admin = sign_in(&server).await;
        for number in 0..3 {
            let message = form_with("message", number.to_string());
            let sent = server.post(CONTACT, &message).await;
            assert_eq!(sent.status, StatusCode::ACCEPTED);
            let subscription = json!({"email": format!("{number}@example.com")});
            server.post(NEWSLETTER, &subscription).await;
            server.clock.advance_seconds(1);
        }
        for (path, field, expected) in [
            ("/api/v1/admin/contact-messages", "message", ["2", "1", "0"]),
            (
                "/api/v1/admin/newsletter",
                "email",
                ["2@example.com", "1@example.com", "0@example.com"],
            ),
        ] {
            let page = async |query: &str| {
                let answer = server.get_as(&admin, &format!("{path}{query}")).await;
                assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
                let page = answer.json();
                assert_eq!(page["total"], 3);
                let items = page["items"].as_array().unwrap().iter();
                let items = items.map(|item| item[field].as_str().unwrap().to_owned());
                let next = page["next_cursor"].as_str().map(ToOwned::to_owned);
                (items.collect::<Vec<_>>(), next)
            };
            let (first, next) = page("?limit=2").await;
            assert_eq!(first, expected[..2]);
            let (second, end) = page(&format!("?limit=2&cursor={}", next.unwrap())).await;
            assert_eq!(
                (second.as_slice(), end),
                (&[expected[2].to_owned()][..], None)
            );
            assert_eq!(
                page("?limit=3&cursor=").await,
                (expected.map(str::to_owned).into(), None)
            );
            assert_eq!(page("?limit=0").await.0, expected[..1]);
            for wrong in ["?cursor=x", "?limit=-1", "?limit=x", "?cursor=%00"] {
                let answer = server.get_as(&admin, &format!("{path}{wrong}")).await;
                answer.is_problem(StatusCode::BAD_REQUEST, "malformed_query");
            }
            let other = server.signup(&format!("{field}@example.com")).await;
            let refused = server.get_as(&other, path).await;
            refused.is_problem(StatusCode::FORBIDDEN, "forbidden");
            let nobody = server.get(path).await;
            nobody.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
        }
    });
}
