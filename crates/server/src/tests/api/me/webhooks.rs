//! Webhooks of users: administration, filters, deliveries, and what they must not reach.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use slovo_db::jobs::workflows::MessageScope;
use slovo_db::webhooks::deliveries::{Lane, MAX_AT_ONCE};
use slovo_rules::user_webhook::MAX_WEBHOOKS;

use super::api_keys::{program, sell_without_api};
use super::support::{block, complete_next, job, send_json, summarise};
use crate::testing::{
    Answer, Backend, PASSWORD, TestServer, TestUser, apply, each_database, with_server,
    with_server_options,
};
use crate::tests::api::admin::webhook_services::support::{Receiver, Reply, path_of, send_due};

const HOOKS: &str = "/api/v1/me/webhooks";

fn form(receiver: &Receiver, events: &[&str]) -> Value {
    json!({"name": "n8n", "url": receiver.stranger.url("/hook?key=hunter2"), "is_active": true,
        "events": events})
}

async fn try_add(server: &TestServer, who: &TestUser, form: &Value) -> Answer {
    server.post_as(who, HOOKS, form).await
}

/// Adds a webhook; returns its id and secret.
async fn add(server: &TestServer, who: &TestUser, form: &Value) -> (String, String) {
    let added = try_add(server, who, form).await;
    assert_eq!(added.status, StatusCode::CREATED, "{}", added.text());
    let added = added.json();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (text(&added["webhook"]["id"]), text(&added["secret"]))
}

async fn log(server: &TestServer, who: &TestUser, id: &str) -> Vec<Value> {
    let answer = server
        .get_as(who, &format!("{HOOKS}/{id}/deliveries"))
        .await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    answer.json()["items"].as_array().unwrap().clone()
}

/// The types of all received events, in the order of their arrival.
fn types(receiver: &Receiver) -> Vec<String> {
    let type_of = |body: Value| body["type"].as_str().unwrap().to_owned();
    let received = receiver.got();
    received.iter().map(|it| type_of(it.json())).collect()
}

/// Runs `test` with a server whose users may have local receivers, and two users.
fn with_users<F: AsyncFnOnce(&TestServer, &TestUser, &TestUser, &Receiver)>(
    backend: Backend,
    test: F,
) {
    let options = &["--user-webhook-allow", "127.0.0.1"];
    with_server_options(backend, options, async |server| {
        server.signup("admin@example.com").await;
        let ada = server.signup("ada@example.com").await;
        let ben = server.signup("ben@example.com").await;
        let receiver = Receiver::start().await;
        test(&server, &ada, &ben, &receiver).await;
    });
}

#[apply(each_database!)]
fn a_webhook_is_added_changed_rotated_and_deleted(backend: Backend) {
    with_users(backend, async |server, ada, _, receiver| {
        let (id, secret) = add(
            server,
            ada,
            &form(receiver, &["job.failed", "job.completed"]),
        )
        .await;
        assert!(secret.starts_with("whsec_"), "{secret}");
        let listed = server.get_as(ada, HOOKS).await;
        assert!(!listed.text().contains("whsec_"));
        let expected = json!({"id": id, "name": "n8n",
            "url": receiver.stranger.url("/hook?key=hunter2"), "is_active": true,
            "events": ["job.completed", "job.failed"], "folders": [], "disabled_by": null,
            "last_delivery": null, "rotated_at": null,
            "created_at": "2026-03-01T12:00:00Z", "updated_at": "2026-03-01T12:00:00Z"});
        assert_eq!(
            listed.json(),
            json!({"webhooks": [expected], "in_plan": true})
        );

        let path = format!("{HOOKS}/{id}");
        let changed = json!({"name": " Бот ", "url": "https://example.com/x", "is_active": false,
            "events": ["upload.completed"]});
        let answer = send_json(server, ada, Method::PUT, &path, &changed).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        assert_eq!(answer.json()["name"], "Бот");
        assert!(!answer.text().contains("whsec_"));

        server.clock.advance_seconds(60);
        let rotate = format!("{path}/rotate-secret");
        let rotated = server.post_as(ada, &rotate, &Value::Null).await.json();
        assert_ne!(rotated["secret"], secret.as_str());
        assert_eq!(rotated["webhook"]["rotated_at"], "2026-03-01T12:01:00Z");

        let deleted = send_json(server, ada, Method::DELETE, &path, &Value::Null).await;
        assert_eq!(deleted.status, StatusCode::NO_CONTENT);
        let again = send_json(server, ada, Method::DELETE, &path, &Value::Null).await;
        again.is_problem(StatusCode::NOT_FOUND, "not_found");
    });
}

#[apply(each_database!)]
fn invalid_webhooks_private_addresses_and_too_many_are_refused(backend: Backend) {
    with_server_options(
        backend,
        // What administrators' services may reach is no permission for users.
        &["--webhook-allow", "127.0.0.1,10.0.0.0/8"],
        async |server| {
            let ada = server.signup("ada@example.com").await;
            let with = |name: &str, value: Value| {
                let mut form = json!({"name": "a", "url": "https://example.com/",
                    "is_active": true, "events": ["job.completed"]});
                form[name] = value;
                form
            };
            for (name, value, code) in [
                ("name", json!(" "), "webhook_name_url_required"),
                ("url", json!(""), "webhook_name_url_required"),
                ("url", json!("ftp://example.com/"), "url_invalid"),
                ("url", json!("https://me:x@example.com/"), "url_invalid"),
                ("events", json!([]), "list_empty"),
                ("folders", json!(vec!["a"; 1]), "not_found"),
            ] {
                let answer = try_add(&server, &ada, &with(name, value)).await.json();
                let found = answer["errors"][0]["code"].as_str();
                let found = found.or_else(|| answer["code"].as_str());
                assert_eq!(found, Some(code), "{name}: {answer}");
            }
            for (name, value) in [
                ("events", json!(["job.exploded"])),
                ("events", json!("job.completed")),
                ("name", json!(5)),
                ("owner", json!("somebody")),
            ] {
                let answer = try_add(&server, &ada, &with(name, value)).await;
                assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{name}");
            }
            for url in [
                "http://127.0.0.1/",
                "http://10.0.0.1:8080/hook",
                "http://169.254.169.254/latest/meta-data/",
                "http://[::1]/",
                "http://2130706433/",
                "http://example.com:22/",
            ] {
                let answer = try_add(&server, &ada, &with("url", json!(url))).await;
                let refused = "webhook_address_refused";
                answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, refused);
            }
            for number in 0..MAX_WEBHOOKS {
                let name = json!(number.to_string());
                let answer = try_add(&server, &ada, &with("name", name)).await;
                assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
            }
            let many = try_add(&server, &ada, &with("name", json!("more"))).await;
            many.is_problem(StatusCode::CONFLICT, "too_many_webhook_services");
            assert_eq!(many.json()["params"], json!({"max": MAX_WEBHOOKS}));
        },
    );
}

#[apply(each_database!)]
fn only_wanted_events_of_the_owners_recordings_are_sent(backend: Backend) {
    with_users(backend, async |server, ada, ben, receiver| {
        let events = ["job.completed", "analysis.completed"];
        let (id, secret) = add(server, ada, &form(receiver, &events)).await;
        let theirs = Receiver::start().await;
        add(server, ben, &form(&theirs, &["upload.completed"])).await;
        let job_id = job(server, ada, "Розмова.wav", b"recording").await;
        assert_eq!(send_due(server).await, 0, "uploads were not asked for");
        complete_next(server, "Слово.").await;
        assert_eq!(send_due(server).await, 1);
        let request = receiver.last();
        assert!(request.is_signed_with(&secret));
        let body = request.json();
        assert_eq!(body["type"], "job.completed");
        assert_eq!(body["data"]["job_id"], job_id.to_string());
        let link = path_of(&body["data"]["transcript_url"]);
        let text = server.get(&link).await;
        assert_eq!(text.json()["segments"][0]["text"], "Слово.");

        summarise(server, job_id).await;
        assert_eq!(send_due(server).await, 1);
        let body = receiver.last().json();
        assert_eq!(body["type"], "analysis.completed");
        let analysis = &body["data"]["analysis"];
        assert_eq!(
            (&analysis["kind"], &analysis["version"]),
            (&json!("summary"), &json!(1))
        );
        assert_eq!(
            (&analysis["error"], &analysis["target"]),
            (&Value::Null, &Value::Null)
        );
        assert!(theirs.got().is_empty(), "recordings of others");

        let entries = log(server, ada, &id).await;
        assert_eq!(entries.len(), 2);
        assert!(entries.iter().all(|entry| entry["status"] == "delivered"));
        // Another user and a deleted webhook.
        let path = format!("{HOOKS}/{id}/deliveries");
        let answer = server.get_as(ben, &path).await;
        answer.is_problem(StatusCode::NOT_FOUND, "not_found");
        let path = format!("{HOOKS}/{id}");
        send_json(server, ada, Method::DELETE, &path, &Value::Null).await;
        assert_eq!(server.get(&link).await.status, StatusCode::NOT_FOUND);
    });
}

#[apply(each_database!)]
fn a_webhook_can_be_limited_to_folders(backend: Backend) {
    with_users(backend, async |server, ada, ben, receiver| {
        let folder = async |who: &TestUser| {
            let form = json!({"name": "Інтерв’ю", "color": 0});
            let made = server.post_as(who, "/api/v1/folders", &form).await.json();
            made["id"].as_str().unwrap().to_owned()
        };
        let (own, foreign) = (folder(ada).await, folder(ben).await);
        let mut limited = form(receiver, &["upload.completed", "job.completed"]);
        limited["folders"] = json!([foreign]);
        let refused = try_add(server, ada, &limited).await;
        refused.is_problem(StatusCode::NOT_FOUND, "not_found");
        limited["folders"] = json!([own]);
        let (id, _) = add(server, ada, &limited).await;

        let inside = job(server, ada, "inside.wav", b"x").await;
        let moved = json!({"jobs": [inside], "folder": own});
        let moved = server
            .post_as(ada, "/api/v1/jobs/bulk/folder", &moved)
            .await;
        assert_eq!(moved.status, StatusCode::OK, "{}", moved.text());
        complete_next(server, "Слово.").await;
        job(server, ada, "outside.wav", b"x").await;
        complete_next(server, "Слово.").await;
        assert_eq!(send_due(server).await, 1);
        assert_eq!(receiver.last().json()["data"]["job_id"], inside.to_string());
        // Recordings have no folder yet when they are uploaded.
        assert_eq!(types(receiver), ["job.completed"]);

        // A deleted folder does not widen what is sent, and the webhook can still be changed.
        let path = format!("/api/v1/folders/{own}");
        send_json(server, ada, Method::DELETE, &path, &Value::Null).await;
        job(server, ada, "later.wav", b"x").await;
        complete_next(server, "Слово.").await;
        assert_eq!(send_due(server).await, 0);
        let path = format!("{HOOKS}/{id}");
        let changed = send_json(server, ada, Method::PUT, &path, &limited).await;
        assert_eq!(changed.status, StatusCode::OK, "{}", changed.text());
        assert_eq!(changed.json()["folders"], json!([own]));
    });
}

#[apply(each_database!)]
fn failures_are_logged_sent_again_on_request_and_410_turns_it_off(backend: Backend) {
    with_users(backend, async |server, ada, ben, receiver| {
        let (id, _) = add(server, ada, &form(receiver, &["job.completed"])).await;
        job(server, ada, "a.wav", b"x").await;
        complete_next(server, "Слово.").await;
        receiver.answers([Reply::status("503 Busy")]);
        assert_eq!(send_due(server).await, 1);
        let delivery = &log(server, ada, &id).await[0];
        assert_eq!(delivery["status"], "pending");
        assert_eq!(delivery["last_error"], "http_status");
        let resend = format!(
            "{HOOKS}/{id}/deliveries/{}/resend",
            delivery["id"].as_str().unwrap()
        );
        let theirs = server.post_as(ben, &resend, &Value::Null).await;
        theirs.is_problem(StatusCode::NOT_FOUND, "not_found");
        let queued = server.post_as(ada, &resend, &Value::Null).await;
        assert_eq!(queued.status, StatusCode::OK, "{}", queued.text());
        assert_eq!(send_due(server).await, 1);
        let got = receiver.got();
        assert_eq!(got[0].header("webhook-id"), got[1].header("webhook-id"));

        let test = format!("{HOOKS}/{id}/test");
        let tested = server.post_as(ada, &test, &Value::Null).await.json();
        assert_eq!(
            (&tested["working"], &tested["status"]),
            (&json!(true), &json!(204))
        );
        job(server, ada, "b.wav", b"x").await;
        complete_next(server, "Слово.").await;
        receiver.answers([Reply::status("410 Gone")]);
        assert_eq!(send_due(server).await, 1);
        let listed = server.get_as(ada, HOOKS).await.json();
        assert_eq!(listed["webhooks"][0]["is_active"], false);
        assert_eq!(listed["webhooks"][0]["disabled_by"], "gone");

        let mut limited = None;
        for _ in 0..200 {
            let answer = server.post_as(ada, &test, &Value::Null).await;
            if answer.status == StatusCode::TOO_MANY_REQUESTS {
                limited = Some(answer);
                break;
            }
        }
        limited
            .expect("tests are limited")
            .is_problem(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
    });
}

#[apply(each_database!)]
fn without_the_api_in_the_plan_nothing_is_sent(backend: Backend) {
    with_users(backend, async |server, ada, _, receiver| {
        let (id, _) = add(server, ada, &form(receiver, &["job.completed"])).await;
        sell_without_api(server).await;
        let added = try_add(server, ada, &form(receiver, &["job.completed"])).await;
        added.is_problem(StatusCode::FORBIDDEN, "api_not_in_plan");
        let path = format!("{HOOKS}/{id}/test");
        let tested = server.post_as(ada, &path, &Value::Null).await;
        tested.is_problem(StatusCode::FORBIDDEN, "api_not_in_plan");
        assert_eq!(server.get_as(ada, HOOKS).await.json()["in_plan"], false);
        job(server, ada, "a.wav", b"x").await;
        complete_next(server, "Слово.").await;
        assert_eq!(send_due(server).await, 1);
        assert!(receiver.got().is_empty());
        let delivery = &log(server, ada, &id).await[0];
        assert_eq!(delivery["status"], "failed");
        assert_eq!(delivery["last_error"], "api_not_in_plan");
    });
}

#[apply(each_database!)]
fn a_blocked_owner_receives_nothing_and_links_end(backend: Backend) {
    with_users(backend, async |server, ada, _, receiver| {
        add(server, ada, &form(receiver, &["job.completed"])).await;
        job(server, ada, "a.wav", b"x").await;
        complete_next(server, "Слово.").await;
        assert_eq!(send_due(server).await, 1);
        let link = path_of(&receiver.last().json()["data"]["transcript_url"]);
        assert_eq!(server.get(&link).await.status, StatusCode::OK);
        job(server, ada, "b.wav", b"x").await;
        complete_next(server, "Слово.").await;
        block(server, ada).await;
        assert_eq!(send_due(server).await, 1);
        assert_eq!(receiver.got().len(), 1, "nothing more is sent");
        assert_eq!(server.get(&link).await.status, StatusCode::NOT_FOUND);
    });
}

#[apply(each_database!)]
fn what_waits_when_a_webhook_is_turned_off_is_not_sent_later(backend: Backend) {
    with_users(backend, async |server, ada, _, receiver| {
        let (id, _) = add(server, ada, &form(receiver, &["job.completed"])).await;
        job(server, ada, "a.wav", b"x").await;
        complete_next(server, "Слово.").await;
        let mut changed = form(receiver, &["job.completed"]);
        let path = format!("{HOOKS}/{id}");
        for is_active in [false, true] {
            changed["is_active"] = is_active.into();
            let answer = send_json(server, ada, Method::PUT, &path, &changed).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        }
        assert_eq!(send_due(server).await, 0);
        let delivery = &log(server, ada, &id).await[0];
        assert_eq!(delivery["status"], "failed");
        assert_eq!(delivery["last_error"], "turned_off");
    });
}

#[apply(each_database!)]
fn administrators_do_not_see_webhooks_of_users(backend: Backend) {
    with_users(backend, async |server, ada, _, receiver| {
        let admin = server.login("admin@example.com", PASSWORD).await;
        let admin = TestUser::from(&admin.json());
        let (id, _) = add(server, ada, &form(receiver, &["job.completed"])).await;
        let services = "/api/v1/admin/webhook-services";
        let listed = server.get_as(&admin, services).await.json();
        assert_eq!(listed["services"], json!([]));
        let tested = format!("{services}/test");
        let tested = server.post_as(&admin, &tested, &Value::Null).await.json();
        assert_eq!(tested["results"], json!([]));
        let path = format!("{services}/{id}");
        let deleted = send_json(server, &admin, Method::DELETE, &path, &Value::Null).await;
        deleted.is_problem(StatusCode::NOT_FOUND, "not_found");
        assert!(receiver.got().is_empty());
    });
}

#[apply(each_database!)]
fn keys_read_webhooks_but_do_not_change_them(backend: Backend) {
    with_server(backend, async |server| {
        let ada = server.signup("ada@example.com").await;
        let (key, _) = program(&server, &ada, &["read", "write", "transcribe"]).await;
        assert_eq!(server.get_as(&key, HOOKS).await.status, StatusCode::OK);
        let form = json!({"name": "a", "url": "https://example.com/", "is_active": true,
            "events": ["job.completed"]});
        let refused = try_add(&server, &key, &form).await;
        refused.is_problem(StatusCode::FORBIDDEN, "scope_missing");
        let (id, _) = add(&server, &ada, &form).await;
        for (method, rest) in [
            (Method::PUT, ""),
            (Method::DELETE, ""),
            (Method::POST, "/rotate-secret"),
            (Method::POST, "/test"),
            (
                Method::POST,
                "/deliveries/01980000-0000-7000-8000-000000000000/resend",
            ),
        ] {
            let path = format!("{HOOKS}/{id}{rest}");
            let answer = send_json(&server, &key, method, &path, &form).await;
            answer.is_problem(StatusCode::FORBIDDEN, "scope_missing");
        }
    });
}

#[apply(each_database!)]
fn slow_receivers_of_a_user_do_not_delay_others(backend: Backend) {
    with_users(backend, async |server, ada, ben, receiver| {
        for _ in 0..3 {
            add(server, ada, &form(receiver, &["job.completed"])).await;
        }
        for _ in 0..2 {
            job(server, ada, "a.wav", b"x").await;
            complete_next(server, "Слово.").await;
        }
        add(server, ben, &form(receiver, &["job.completed"])).await;
        job(server, ben, "b.wav", b"x").await;
        complete_next(server, "Слово.").await;
        // All of them hang: they are claimed, and never end.
        let mut claimed = Vec::new();
        while let Some(delivery) = server
            .state
            .webhooks
            .claim(Lane::Users, MessageScope::All)
            .await
            .unwrap()
        {
            claimed.push(delivery);
        }
        // Of six deliveries for one user, and one for the other.
        assert_eq!(i64::try_from(claimed.len()).unwrap(), MAX_AT_ONCE + 1);
        assert!(types(receiver).is_empty());
    });
}
