//! Webhook services: administration, requests and responses.

mod recognition;
mod sending;
pub(crate) mod support;

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use support::{PATH, Receiver, Reply, form, log, make, with_caller};

use crate::testing::{Backend, apply, each_database, with_server, with_server_options};
use crate::tests::api::me::support::send_json;

#[apply(each_database!)]
fn services_are_created_changed_and_deleted_and_secrets_shown_once(backend: Backend) {
    with_caller(backend, async |server, admin, receiver| {
        let (id, secret) = make(server, admin, &form(receiver, "utility")).await;
        assert!(
            secret.starts_with("whsec_") && secret.len() == 50,
            "{secret}"
        );
        let service = format!("{PATH}/{id}");
        let listed = server.get_as(admin, PATH).await;
        assert!(!listed.text().contains("whsec_"));
        let expected = json!({"id": id, "name": "Notes", "url": receiver.stranger.url("/hook?key=hunter2"),
            "description": "", "category": "utility", "is_active": true, "modes": [],
            "disabled_by": null, "last_delivery": null, "rotated_at": null,
            "created_at": "2026-03-01T12:00:00Z", "updated_at": "2026-03-01T12:00:00Z"});
        assert_eq!(listed.json(), json!({"services": [expected]}));

        server.clock.advance_seconds(1);
        let changed = json!({"name": " Письма ", "url": "https://example.com/x",
            "category": "upload", "is_active": false});
        let answer = send_json(server, admin, Method::PUT, &service, &changed).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        assert_eq!(answer.json()["name"], "Письма");
        assert!(!answer.text().contains("whsec_"));

        server.clock.advance_seconds(59);
        let rotated = server
            .post_as(admin, &format!("{service}/rotate-secret"), &Value::Null)
            .await;
        assert_eq!(rotated.status, StatusCode::OK);
        assert_ne!(rotated.json()["secret"], secret.as_str());
        assert_eq!(
            rotated.json()["service"]["rotated_at"],
            "2026-03-01T12:01:00Z"
        );

        server.clock.advance_seconds(1);
        let deleted = send_json(server, admin, Method::DELETE, &service, &Value::Null).await;
        assert_eq!(deleted.status, StatusCode::NO_CONTENT);
        for (method, path) in [
            (Method::PUT, service.clone()),
            (Method::DELETE, service.clone()),
            (Method::POST, format!("{service}/rotate-secret")),
            (Method::POST, format!("{service}/test")),
            (Method::GET, format!("{service}/deliveries")),
            (Method::POST, format!("{service}/deliveries/{id}/resend")),
        ] {
            let answer = send_json(server, admin, method, &path, &changed).await;
            answer.is_problem(StatusCode::NOT_FOUND, "not_found");
        }

        let mut connection = server.state.db.read().await.unwrap();
        let filter = slovo_db::accounts::audit::Filter::default();
        let entries = slovo_db::accounts::audit::list(&mut connection, &filter, None, 10).await;
        let entries = entries.unwrap();
        let actions: Vec<_> = entries.iter().map(|entry| entry.action.as_str()).collect();
        let expected = ["delete", "update", "update", "create"];
        assert_eq!(
            actions,
            expected.map(|verb| format!("webhook_service.{verb}"))
        );
        let all = format!("{entries:?}");
        assert!(!all.contains("whsec_") && !all.contains("hunter2"), "{all}");
        let first = entries.last().unwrap().after.as_ref().unwrap();
        assert_eq!(
            first["host"],
            format!("http://{}", receiver.stranger.place())
        );
    });
}

#[apply(each_database!)]
fn invalid_forms_and_private_addresses_are_refused(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let make = async |form: Value| server.post_as(&admin, PATH, &form).await;
        let answer = make(json!({"name": " ", "url": ""})).await;
        answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        assert_eq!(
            answer.json()["errors"][1]["code"],
            "webhook_name_url_required"
        );
        for url in [
            "http://127.0.0.1/",
            "http://10.0.0.1:8080/hook",
            "http://169.254.169.254/latest/meta-data/",
            "http://[::1]/",
            "http://2130706433/",
            "http://example.com:22/",
        ] {
            let answer = make(json!({"name": "a", "url": url})).await;
            let refused = "webhook_address_refused";
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, refused);
        }
        for url in ["ftp://example.com/", "https://me:x@example.com/", "x"] {
            let answer = make(json!({"name": "a", "url": url})).await;
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        }
        for (body, status) in [
            (json!({"name": 5}), StatusCode::UNPROCESSABLE_ENTITY),
            (json!({"category": "x"}), StatusCode::UNPROCESSABLE_ENTITY),
            (json!([]), StatusCode::UNPROCESSABLE_ENTITY),
        ] {
            assert_eq!(make(body).await.status, status);
        }
        let recogniser = |name: &str, modes: Value, is_active: bool| {
            json!({"name": name, "url": "https://example.com/", "category": "transcription",
                "modes": modes, "is_active": is_active})
        };
        let answer = make(recogniser("a", json!([]), true)).await;
        assert_eq!(answer.json()["errors"][0]["code"], "list_empty");
        let first = make(recogniser("first", json!(["full"]), true)).await;
        let taken = make(recogniser("second", json!(["full", "lite"]), true)).await;
        taken.is_problem(StatusCode::CONFLICT, "webhook_mode_taken");
        assert_eq!(
            taken.json()["params"],
            json!({"service": "first", "mode": "full"})
        );
        let inactive = make(recogniser("second", json!(["full"]), false)).await;
        assert_eq!(inactive.status, StatusCode::CREATED);
        let update = async |created: &Value, form: Value| {
            let path = format!("{PATH}/{}", created["service"]["id"].as_str().unwrap());
            send_json(&server, &admin, Method::PUT, &path, &form)
                .await
                .status
        };
        let activated = recogniser("second", json!(["full"]), true);
        assert_eq!(
            update(&inactive.json(), activated.clone()).await,
            StatusCode::CONFLICT
        );
        let same = recogniser("first", json!(["full"]), true);
        assert_eq!(update(&first.json(), same).await, StatusCode::OK);
        let off = recogniser("first", json!(["full"]), false);
        assert_eq!(update(&first.json(), off).await, StatusCode::OK);
        assert_eq!(update(&inactive.json(), activated).await, StatusCode::OK);

        let mut count: i64 = 2;
        let many = loop {
            let form = json!({"name": count.to_string(), "url": "https://example.com/"});
            let answer = make(form).await;
            if answer.status != StatusCode::CREATED {
                break answer;
            }
            count += 1;
        };
        many.is_problem(StatusCode::CONFLICT, "too_many_webhook_services");
        assert_eq!(many.json()["params"], json!({"max": count}));
    });
}

#[apply(each_database!)]
fn a_test_reports_how_the_service_answers(backend: Backend) {
    with_caller(backend, async |server, admin, receiver| {
        let (id, secret) = make(server, admin, &form(receiver, "processing")).await;
        let test = async || {
            let path = format!("{PATH}/{id}/test");
            let answer = server.post_as(admin, &path, &Value::Null).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
            answer.json()
        };
        let result = |working: bool, status: Value, error: Value| {
            json!({"service_id": id, "name": "Notes", "working": working, "status": status,
                "error": error})
        };
        assert_eq!(test().await, result(true, json!(204), Value::Null));
        let request = receiver.last();
        assert!(request.is_signed_with(&secret));
        assert_eq!(request.asked.path, "/hook?key=hunter2");
        assert_eq!(request.header("content-type"), "application/json");
        let expected = json!({"type": "test", "timestamp": "2026-03-01T12:00:00Z", "test": true,
            "data": {"service_id": id, "name": "Notes"}});
        assert_eq!(request.json(), expected);

        receiver.answers([
            Reply::status("503 Busy"),
            Reply::With(
                "302 Found",
                vec!["Location: http://127.0.0.2/".into()],
                String::new(),
            ),
            Reply::Noise,
            Reply::Endless,
            Reply::status("410 Gone"),
        ]);
        assert_eq!(
            test().await,
            result(false, json!(503), json!("http_status"))
        );
        assert_eq!(test().await, result(false, json!(302), json!("redirected")));
        assert_eq!(test().await, result(false, Value::Null, json!("not_http")));
        assert_eq!(test().await, result(true, json!(200), Value::Null));
        assert_eq!(
            test().await,
            result(false, json!(410), json!("http_status"))
        );
        let entries = log(server, admin, &id).await;
        assert_eq!(entries.len(), 6);
        assert!(entries.iter().all(|entry| entry["event_type"] == "test"));
        assert!(entries.iter().all(|entry| entry["attempts"] == 1));
        let path = format!(
            "{PATH}/{id}/deliveries/{}/resend",
            entries[0]["id"].as_str().unwrap()
        );
        let again = server.post_as(admin, &path, &Value::Null).await;
        again.is_problem(StatusCode::CONFLICT, "webhook_test_not_resent");
        let listed = server.get_as(admin, PATH).await.json();
        assert_eq!(
            listed["services"][0]["is_active"], true,
            "a test switches nothing off"
        );
    });
}

#[apply(each_database!)]
fn all_active_services_can_be_tested_together(backend: Backend) {
    with_caller(backend, async |server, admin, receiver| {
        let named = |name: &str, url: String, is_active: bool| json!({"name": name, "url": url, "is_active": is_active});
        let other = Receiver::start().await;
        other.answers([Reply::status("500 Oh")]);
        // A closed port.
        let closed_url = Receiver::start().await.stranger.url("/");
        for form in [
            named("works", receiver.stranger.url("/"), true),
            named("fails", other.stranger.url("/"), true),
            named("gone", closed_url, true),
            named("off", receiver.stranger.url("/"), false),
        ] {
            make(server, admin, &form).await;
            server.clock.advance_seconds(1);
        }
        let path = format!("{PATH}/test");
        let answer = server.post_as(admin, &path, &Value::Null).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        let results = answer.json()["results"].as_array().unwrap().clone();
        let outcomes: Vec<_> = results
            .iter()
            .map(|result| {
                (
                    result["name"].as_str().unwrap(),
                    result["status"].as_u64(),
                    result["error"].as_str(),
                )
            })
            .collect();
        assert_eq!(
            outcomes,
            [
                ("works", Some(204), None),
                ("fails", Some(500), Some("http_status")),
                ("gone", None, Some("no_connection")),
            ]
        );
        assert_eq!(receiver.got().len(), 1);
    });
}

#[apply(each_database!)]
fn host_names_of_private_addresses_are_not_called(backend: Backend) {
    // The allowed port is not the one that listens.
    with_server_options(
        backend,
        &["--webhook-allow", "localhost:1"],
        async |server| {
            let admin = server.signup("admin@example.com").await;
            let receiver = Receiver::start().await;
            let url = format!("http://localhost:{}/", receiver.stranger.address.port());
            let (id, _) = make(&server, &admin, &json!({"name": "a", "url": url})).await;
            let answer = server
                .post_as(&admin, &format!("{PATH}/{id}/test"), &Value::Null)
                .await;
            let answer = answer.json();
            assert_eq!(
                (&answer["working"], &answer["status"]),
                (&json!(false), &Value::Null)
            );
            assert_eq!(answer["error"], "refused_address");
            assert!(receiver.got().is_empty());
        },
    );
}
