//! Limits and switches: their validation and their effects.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::testing::{
    Answer, Backend, PASSWORD, TestServer, TestUser, apply, each_database, signup_form,
    with_server, with_server_options,
};
use crate::tests::api::jobs::support::{make_job, upload};
use crate::tests::api::me::support::send_json;

const PATH: &str = "/api/v1/admin/settings";

/// The default settings with some of them changed: `limits.…`, `switches.…` or `defaults.…`.
async fn settings(server: &TestServer, admin: &TestUser, changed: &[(&str, Value)]) -> Value {
    let mut settings = server.get_as(admin, PATH).await.json()["settings"].clone();
    for (path, value) in changed {
        let (group, name) = path.split_once('.').unwrap();
        assert!(settings[group].get(name).is_some(), "{path}");
        settings[group][name] = value.clone();
    }
    settings
}

async fn put(server: &TestServer, who: &TestUser, body: &Value) -> Answer {
    send_json(server, who, Method::PUT, PATH, body).await
}

async fn set(server: &TestServer, admin: &TestUser, changed: &[(&str, Value)]) {
    let body = settings(server, admin, changed).await;
    let answer = put(server, admin, &body).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    assert_eq!(answer.json(), body);
}

async fn switch_off(server: &TestServer, admin: &TestUser, switch: &str) {
    set(
        server,
        admin,
        &[(&format!("switches.{switch}"), json!(false))],
    )
    .await;
}

#[apply(each_database!)]
fn settings_are_saved_and_audited(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let view = server.get_as(&admin, PATH).await.json();
        // The free disk space, but at least the default limit.
        let max_bytes = view["most_upload_bytes"].as_u64().unwrap();
        assert!(max_bytes >= 500 * 1024 * 1024, "{max_bytes}");
        assert_eq!(view["google_configured"], false);
        let limits = json!({"max_upload_bytes": null, "waiting_jobs": null, "contact_days": null});
        assert_eq!(view["settings"]["limits"], limits);
        assert_eq!(view["settings"]["defaults"], json!({"languages": []}));
        let switches = view["settings"]["switches"].as_object().unwrap();
        for (name, on) in switches {
            assert_eq!(*on, json!(name != "charge_silence"), "{name}");
        }

        let changed = [
            ("limits.waiting_jobs", json!(3)),
            ("switches.newsletter", json!(false)),
            ("defaults.languages", json!(["uk", "ru"])),
        ];
        set(&server, &admin, &changed).await;
        // Setting the same values again changes nothing and is not logged.
        set(&server, &admin, &changed).await;
        let mut connection = server.state.db.read().await.unwrap();
        let query = slovo_db::accounts::audit::Filter::default();
        let entries = slovo_db::accounts::audit::list(&mut connection, &query, None, 10)
            .await
            .unwrap();
        let entries: Vec<_> = entries
            .iter()
            .filter(|entry| entry.action == "settings.update")
            .collect();
        assert_eq!(entries.len(), 1);
        let (before, after) = (entries[0].before.as_ref(), entries[0].after.as_ref());
        assert_eq!(before.unwrap()["limits"]["waiting_jobs"], Value::Null);
        assert_eq!(after.unwrap()["limits"]["waiting_jobs"], 3);
        assert_eq!(after.unwrap()["switches"]["newsletter"], false);
        let languages = &after.unwrap()["defaults"]["languages"];
        assert_eq!(languages, &json!(["uk", "ru"]));
    });
}

#[apply(each_database!)]
fn invalid_settings_are_refused_and_change_nothing(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        for (field, value, code) in [
            ("max_upload_bytes", json!(1_u64 << 50), "number_too_large"),
            ("max_upload_bytes", json!(0), "number_too_small"),
            ("waiting_jobs", json!(-1), "number_too_small"),
            ("contact_days", json!(0), "number_too_small"),
            ("contact_days", json!(9_999_999), "number_too_large"),
        ] {
            let body = settings(&server, &admin, &[(&format!("limits.{field}"), value)]).await;
            let refused = put(&server, &admin, &body).await;
            refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
            let error = &refused.json()["errors"][0];
            assert_eq!(error["field"], format!("limits.{field}"));
            assert_eq!(error["code"], code);
        }
        let stored = settings(&server, &admin, &[]).await;
        for (path, value) in [
            ("limits.waiting_jobs", json!("3")),
            ("limits.waiting_jobs", json!(1.5)),
            ("limits.waiting_jobs", json!(1e300)),
            ("limits.other", json!(1)),
            ("switches.sign_up", json!("no")),
            ("switches.sign_up", Value::Null),
            ("switches.admin_only", json!(true)),
            ("defaults.languages", json!("uk")),
            ("defaults.languages", json!([1])),
            ("defaults.other", json!([])),
        ] {
            let mut body = stored.clone();
            let (group, name) = path.split_once('.').unwrap();
            body[group][name] = value;
            let refused = put(&server, &admin, &body).await;
            assert!(
                refused.status.is_client_error(),
                "{path}: {}",
                refused.text()
            );
        }
        for body in [
            json!({}),
            json!([]),
            json!({"limits": {}}),
            json!({"limits": {}, "switches": {}, "x": 1}),
            json!({"limits": {}, "switches": {}, "defaults": null}),
            json!({"limits": {}, "switches": {}, "defaults": []}),
        ] {
            let refused = put(&server, &admin, &body).await;
            assert!(
                refused.status.is_client_error(),
                "{body}: {}",
                refused.text()
            );
        }
        assert_eq!(settings(&server, &admin, &[]).await, stored);
    });
}

#[apply(each_database!)]
fn closed_sign_up_admits_only_existing_accounts(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let registered = server.register("late@example.com").await;
        let code = server.last_mail("late@example.com").await.code();
        switch_off(&server, &admin, "sign_up").await;
        let options = server.get("/api/v1/auth/options").await.json();
        assert_eq!(options["sign_up"], false);
        let refused = server
            .post("/api/v1/auth/signup", &signup_form("new@example.com"))
            .await;
        refused.is_problem(StatusCode::FORBIDDEN, "signup_closed");
        let late = server.verify(&registered, &code).await;
        late.is_problem(StatusCode::FORBIDDEN, "signup_closed");
        let login = server.login("admin@example.com", PASSWORD).await;
        assert_eq!(login.status, StatusCode::OK);
        set(&server, &admin, &[("switches.sign_up", json!(true))]).await;
        assert_eq!(
            server.verify(&registered, &code).await.status,
            StatusCode::CREATED
        );
    });
}

#[apply(each_database!)]
fn disabled_features_are_refused_and_reported_as_unavailable(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let capabilities = async |name: &str| {
            let answer = server.get_as(&admin, "/api/v1/capabilities").await.json();
            answer[name].clone()
        };
        let wav = std::fs::read(slovo_test_media::prompts::WELCOME.path()).unwrap();
        let job = make_job(&server, &admin, "a.wav", &wav).await;
        let job = job["my_job_id"].as_str().unwrap().to_owned();
        for switch in ["url_fetch", "recording", "sharing", "assistant"] {
            assert_eq!(capabilities(switch).await, true, "{switch}");
            switch_off(&server, &admin, switch).await;
            assert_eq!(capabilities(switch).await, false, "{switch}");
        }
        let url = json!({"url": "https://media.example/a.mp3"});
        let refused = server.post_as(&admin, "/api/v1/urls/probe", &url).await;
        refused.is_problem(StatusCode::FORBIDDEN, "url_fetch_off");
        let refused = server
            .post_as(&admin, "/api/v1/jobs", &json!({"settings": url}))
            .await;
        refused.is_problem(StatusCode::FORBIDDEN, "url_fetch_off");

        // `kind voice` in base64.
        let voice = server
            .request(Method::POST, "/api/v1/uploads", &admin)
            .header("tus-resumable", "1.0.0")
            .header("upload-length", "10")
            .header("upload-metadata", "kind dm9pY2U=");
        let refused = server
            .send(voice.body(axum::body::Body::empty()).unwrap())
            .await;
        refused.is_problem(StatusCode::FORBIDDEN, "recording_off");
        upload(&server, &admin, "b.wav", &wav).await;

        let share = json!({"expires_at": null, "with_media": false});
        let path = format!("/api/v1/jobs/{job}/shares");
        let refused = server.post_as(&admin, &path, &share).await;
        refused.is_problem(StatusCode::FORBIDDEN, "sharing_off");
        let path = format!("/api/v1/jobs/{job}/assistant");
        let refused = server
            .post_as(&admin, &path, &json!({"question": "?"}))
            .await;
        refused.is_problem(StatusCode::FORBIDDEN, "assistant_off");
        assert_eq!(server.get_as(&admin, &path).await.json()["mode"], "none");
    });
}

#[apply(each_database!)]
fn public_forms_are_refused_when_switched_off(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let message = json!({"first_name": "О", "last_name": "К", "email": "o@example.com",
            "message": "Добрий день"});
        let address = json!({"email": "o@example.com"});
        for (switch, path, body, code) in [
            ("contact_form", "/api/v1/contact", &message, "contact_off"),
            (
                "newsletter",
                "/api/v1/newsletter",
                &address,
                "newsletter_off",
            ),
        ] {
            let accepted = server.post(path, body).await;
            assert_eq!(accepted.status, StatusCode::ACCEPTED, "{}", accepted.text());
            switch_off(&server, &admin, switch).await;
            let refused = server.post(path, body).await;
            refused.is_problem(StatusCode::FORBIDDEN, code);
        }
    });
}

#[apply(each_database!)]
fn google_sign_in_is_hidden_and_refused_while_switched_off(backend: Backend) {
    let options = [
        "--openid-client-id",
        "id",
        "--openid-client-secret",
        "hunter2",
        "--openid-issuer",
        "http://127.0.0.1:9",
    ];
    with_server_options(backend, &options, async |server| {
        let admin = server.signup("admin@example.com").await;
        let view = server.get_as(&admin, PATH).await;
        assert_eq!(view.json()["google_configured"], true);
        assert!(!view.text().contains("hunter2"));
        let offered = server.get("/api/v1/auth/options").await.json();
        assert_eq!(offered["google"], true);
        switch_off(&server, &admin, "google").await;
        let offered = server.get("/api/v1/auth/options").await.json();
        assert_eq!(offered["google"], false);
        let start = server.get("/api/v1/auth/google/start?intent=login").await;
        start.is_problem(StatusCode::NOT_FOUND, "not_found");
    });
}

#[apply(each_database!)]
fn a_lower_upload_limit_applies_to_every_way_of_uploading(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let about = server.get("/about?lang=en").await.text();
        assert!(about.contains(", up to 500\u{a0}MB."));
        let limit = 2 * 1024 * 1024;
        set(
            &server,
            &admin,
            &[("limits.max_upload_bytes", json!(limit))],
        )
        .await;
        let capabilities = server.get_as(&admin, "/api/v1/capabilities").await.json();
        assert_eq!(capabilities["max_upload_bytes"], limit);
        let about = server.get("/about?lang=en").await.text();
        assert!(about.contains(", up to 2\u{a0}MB."));
        for extension in capabilities["more_types"].as_array().unwrap() {
            let extension = extension.as_str().unwrap().to_uppercase();
            assert!(about.contains(&format!(", {extension},")), "{extension}");
        }
        let create = async |header: &str, value: String| {
            let request = server
                .request(Method::POST, "/api/v1/uploads", &admin)
                .header("tus-resumable", "1.0.0")
                .header(header, value);
            server
                .send(request.body(axum::body::Body::empty()).unwrap())
                .await
        };
        let large = create("upload-length", (limit + 1).to_string()).await;
        large.is_problem(StatusCode::PAYLOAD_TOO_LARGE, "upload_too_large");
        assert_eq!(large.header("tus-max-size"), limit.to_string());
        assert_eq!(large.json()["errors"][0]["params"]["max_mb"], 2);
        let exact = create("upload-length", limit.to_string()).await;
        assert_eq!(exact.status, StatusCode::CREATED, "{}", exact.text());

        // The limit also applies to deferred lengths and to bodies without `Content-Length`.
        let open = create("upload-defer-length", "1".to_owned()).await;
        let path = open.header("location").to_owned();
        let patch = async |length: Option<usize>, bytes: Vec<u8>| {
            let mut request = server
                .request(Method::PATCH, &path, &admin)
                .header("tus-resumable", "1.0.0")
                .header("upload-offset", "0")
                .header("content-type", "application/offset+octet-stream");
            if let Some(length) = length {
                request = request.header("upload-length", length.to_string());
            }
            server.send(request.body(bytes.into()).unwrap()).await
        };
        let later = patch(Some(limit + 1), Vec::new()).await;
        later.is_problem(StatusCode::PAYLOAD_TOO_LARGE, "upload_too_large");
        let wav = std::fs::read(slovo_test_media::prompts::WELCOME.path()).unwrap();
        let bytes = [wav, vec![0; limit]].concat();
        let without_length = patch(None, bytes).await;
        without_length.is_problem(StatusCode::PAYLOAD_TOO_LARGE, "upload_too_large");
    });
}

#[apply(each_database!)]
fn the_limit_of_waiting_jobs_holds_for_concurrent_requests(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("me@example.com").await;
        set(&server, &admin, &[("limits.waiting_jobs", json!(2))]).await;
        let wav = std::fs::read(slovo_test_media::prompts::WELCOME.path()).unwrap();
        let mut uploads = Vec::new();
        for _ in 0..4 {
            uploads.push(upload(&server, &me, "a.wav", &wav).await);
        }
        let create = async |upload: &String| {
            let body = json!({"upload_id": upload});
            server.post_as(&me, "/api/v1/jobs", &body).await
        };
        let answers = tokio::join!(
            create(&uploads[0]),
            create(&uploads[1]),
            create(&uploads[2]),
            create(&uploads[3])
        );
        let answers = [answers.0, answers.1, answers.2, answers.3];
        let (created, refused): (Vec<_>, Vec<_>) = answers
            .into_iter()
            .partition(|answer| answer.status == StatusCode::CREATED);
        assert_eq!((created.len(), refused.len()), (2, 2));
        for answer in &refused {
            answer.is_problem(StatusCode::TOO_MANY_REQUESTS, "too_many_waiting");
            assert_eq!(answer.json()["params"]["max"], 2);
        }
        // A cancelled job frees a place, and the refused uploads can still be used.
        let id = created[0].json()["my_job_id"].as_str().unwrap().to_owned();
        let cancel = format!("/api/v1/jobs/{id}/cancel");
        assert_eq!(
            server.post_as(&me, &cancel, &Value::Null).await.status,
            StatusCode::OK
        );
        let listed = server.get_as(&me, "/api/v1/uploads").await.json();
        let unused = listed["uploads"][0]["upload_id"]
            .as_str()
            .unwrap()
            .to_owned();
        assert_eq!(create(&unused).await.status, StatusCode::CREATED);
        let retry = format!("/api/v1/jobs/{id}/retry");
        let refused = server.post_as(&me, &retry, &Value::Null).await;
        refused.is_problem(StatusCode::TOO_MANY_REQUESTS, "too_many_waiting");
        // Jobs of other users do not count.
        let other = upload(&server, &admin, "a.wav", &wav).await;
        let created = server
            .post_as(&admin, "/api/v1/jobs", &json!({"upload_id": other}))
            .await;
        assert_eq!(created.status, StatusCode::CREATED);
    });
}

#[apply(each_database!)]
fn messages_are_kept_for_the_configured_number_of_days(backend: Backend) {
    with_server(backend, async |server| {
        server.signup("admin@example.com").await;
        let message = json!({"first_name": "О", "last_name": "К", "email": "o@example.com",
            "message": "Добрий день"});
        server.post("/api/v1/contact", &message).await;
        server.clock.advance_seconds(40 * 24 * 60 * 60);
        server.post("/api/v1/contact", &message).await;
        let sweep = async || {
            let mut transaction = server.state.db.write().await.unwrap();
            let now = slovo_platform::clock::Clock::now_ms(&server.clock);
            let removed = slovo_accounts::site_messages::remove_old(&mut transaction, now)
                .await
                .unwrap();
            transaction.commit().await.unwrap();
            removed
        };
        assert_eq!(sweep().await, 0, "for ever, unless somebody says otherwise");
        let admin = TestUser::from(&server.login("admin@example.com", PASSWORD).await.json());
        set(&server, &admin, &[("limits.contact_days", json!(30))]).await;
        assert_eq!(sweep().await, 1);
        let remaining = server
            .get_as(&admin, "/api/v1/admin/contact-messages")
            .await
            .json();
        assert_eq!(remaining["total"], 1);
    });
}

#[apply(each_database!)]
fn settings_of_another_process_apply_within_seconds(backend: Backend) {
    with_server(backend, async |server| {
        server.signup("admin@example.com").await;
        let sign_up = async || {
            server
                .state
                .settings
                .current()
                .await
                .unwrap()
                .switches
                .sign_up
        };
        assert!(sign_up().await);
        let mut transaction = server.state.db.write().await.unwrap();
        let closed = json!({"sign_up": false});
        slovo_db::site::server_settings::set(&mut transaction, "switches", &closed, 0)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        server.clock.advance_seconds(2);
        assert!(!sign_up().await);
        let refused = server
            .post("/api/v1/auth/signup", &signup_form("a@example.com"))
            .await;
        refused.is_problem(StatusCode::FORBIDDEN, "signup_closed");
    });
}

#[apply(each_database!)]
fn the_upload_limit_can_be_raised_to_what_the_disk_allows(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let view = server.get_as(&admin, PATH).await.json();
        let default_bytes = view["usual_upload_bytes"].as_u64().unwrap();
        assert_eq!(default_bytes, 500 * 1024 * 1024);
        let max_bytes = view["most_upload_bytes"].as_u64().unwrap();
        assert!(max_bytes >= default_bytes);
        // Without more free space, the limit stays the same.
        let raised = (default_bytes + 1024 * 1024).min(max_bytes);
        set(
            &server,
            &admin,
            &[("limits.max_upload_bytes", json!(raised))],
        )
        .await;
        let capabilities = server.get_as(&admin, "/api/v1/capabilities").await.json();
        assert_eq!(capabilities["max_upload_bytes"], raised);
        let create = async |bytes: u64| {
            let request = server
                .request(Method::POST, "/api/v1/uploads", &admin)
                .header("tus-resumable", "1.0.0")
                .header("upload-length", bytes.to_string());
            server
                .send(request.body(axum::body::Body::empty()).unwrap())
                .await
        };
        let exact = create(raised).await;
        assert_eq!(exact.status, StatusCode::CREATED, "{}", exact.text());
        let large = create(raised + 1).await;
        large.is_problem(StatusCode::PAYLOAD_TOO_LARGE, "upload_too_large");
        assert_eq!(large.header("tus-max-size"), raised.to_string());
    });
}
