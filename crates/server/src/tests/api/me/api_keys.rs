//! API keys: making, using, expiring and revoking them.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use jiff::Timestamp;
use serde_json::{Value, json};
use slovo_db::accounts::api_keys::{self, ApiKey};
use slovo_rules::api_key::{ApiScope, EXPIRED_KEPT_DAYS, MAX_KEYS};
use slovo_rules::plan::{DemoPlan, PlanFeature};
use slovo_test_media::prompts::WELCOME;

use super::super::jobs::support::{make_job, path, send, watch};
use crate::testing::{
    Answer, Backend, PASSWORD, TIMEOUT, TestServer, TestUser, apply, each_database, with_server,
};

const KEYS: &str = "/api/v1/me/api-keys";
const JOBS: &str = "/api/v1/jobs";

/// Tries to create a key.
async fn try_create(server: &TestServer, who: &TestUser, form: Value) -> Answer {
    server.post_as(who, KEYS, &form).await
}

/// A program with a new key of these scopes, and the key's id.
pub(crate) async fn program(
    server: &TestServer,
    who: &TestUser,
    scopes: &[&str],
) -> (TestUser, String) {
    let form = json!({"name": "nightly", "scopes": scopes, "password": PASSWORD});
    let created = try_create(server, who, form).await;
    assert_eq!(created.status, StatusCode::CREATED, "{}", created.text());
    let created = created.json();
    let program = TestUser {
        access_token: created["secret"].as_str().unwrap().to_owned(),
        ..who.clone()
    };
    (program, created["key"]["id"].as_str().unwrap().to_owned())
}

async fn revoke(server: &TestServer, who: &TestUser, id: &str) -> StatusCode {
    let path = format!("{KEYS}/{id}");
    send(server, who, Method::DELETE, &path).await.status
}

pub(crate) async fn sell_without_api(server: &TestServer) {
    let mut demo = DemoPlan::for_paid_service();
    demo.features.retain(|feature| *feature != PlanFeature::Api);
    let mut transaction = server.state.db.write().await.unwrap();
    slovo_db::site::server_settings::set(&mut transaction, slovo_db::plans::ledger::DEMO, &demo, 5)
        .await
        .unwrap();
    transaction.commit().await.unwrap();
}

#[apply(each_database!)]
fn a_key_is_shown_once_used_and_revoked(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        assert_eq!(
            server.get_as(&me, KEYS).await.json(),
            json!({"keys": [], "in_plan": true})
        );
        let form = json!({"name": " Home\n Assistant ", "scopes": ["transcribe", "read"],
            "expires_in_days": 90, "password": PASSWORD});
        let created = try_create(&server, &me, form).await.json();
        let secret = created["secret"].as_str().unwrap();
        assert!(secret.starts_with("slovo_"), "{secret}");
        let listed = server.get_as(&me, KEYS).await;
        assert!(!listed.text().contains(secret));
        let key = &listed.json()["keys"][0];
        assert_eq!(*key, created["key"]);
        assert_eq!(key["name"], "Home Assistant");
        assert_eq!(key["scopes"], json!(["read", "transcribe"]));
        assert!(secret.ends_with(key["hint"].as_str().unwrap()));
        assert_eq!(key["last_used_at"], Value::Null);
        let time = |name: &str| key[name].as_str().unwrap().parse::<Timestamp>().unwrap();
        let lifetime = time("expires_at").as_second() - time("created_at").as_second();
        assert_eq!(lifetime, 90 * 24 * 60 * 60);

        let program = TestUser {
            access_token: secret.to_owned(),
            ..me.clone()
        };
        assert_eq!(server.get_as(&program, JOBS).await.status, StatusCode::OK);
        let noted = async {
            loop {
                let keys = server.get_as(&me, KEYS).await.json();
                if keys["keys"][0]["last_address"] == "192.0.2.1" {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        };
        tokio::time::timeout(TIMEOUT, noted).await.unwrap();

        let id = key["id"].as_str().unwrap();
        let stranger = server.signup("b@example.com").await;
        assert_eq!(
            revoke(&server, &stranger, id).await,
            StatusCode::NOT_FOUND,
            "of another account"
        );
        assert_eq!(revoke(&server, &me, id).await, StatusCode::NO_CONTENT);
        assert_eq!(revoke(&server, &me, id).await, StatusCode::NOT_FOUND);
        let refused = server.get_as(&program, JOBS).await;
        refused.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
        let stored = server.get_as(&me, KEYS).await.json();
        assert_eq!(stored["keys"], json!([]));
    });
}

#[apply(each_database!)]
fn a_key_needs_a_name_scopes_and_the_password(backend: Backend) {
    with_server(backend, async |server| {
        server.signup("admin@example.com").await;
        let me = server.signup("a@example.com").await;
        let empty = json!({"name": " ", "scopes": [], "expires_in_days": 0});
        let refused = try_create(&server, &me, empty).await;
        refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        let errors = refused.json()["errors"].clone();
        let fields: Vec<_> = errors
            .as_array()
            .unwrap()
            .iter()
            .map(|it| &it["field"])
            .collect();
        assert_eq!(fields, ["name", "scopes", "expires_in_days"]);
        let unknown = json!({"name": "x", "scopes": ["root"], "password": PASSWORD});
        try_create(&server, &me, unknown)
            .await
            .is_problem(StatusCode::UNPROCESSABLE_ENTITY, "unexpected_json");
        for password in ["", "wrong"] {
            let form = json!({"name": "x", "scopes": ["read"], "password": password});
            let refused = try_create(&server, &me, form).await;
            refused.is_problem(StatusCode::FORBIDDEN, "wrong_password");
        }
        let admin = json!({"name": "x", "scopes": ["admin"], "password": PASSWORD});
        let refused = try_create(&server, &me, admin).await;
        refused.is_problem(StatusCode::FORBIDDEN, "forbidden");
        assert_eq!(server.get_as(&me, KEYS).await.json()["keys"], json!([]));
    });
}

#[apply(each_database!)]
fn the_number_of_keys_is_limited(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let mut transaction = server.state.db.write().await.unwrap();
        for number in 0..MAX_KEYS {
            let key = ApiKey {
                id: server.state.new_id().parse().unwrap(),
                name: "x".to_owned(),
                hint: String::new(),
                scopes: vec![ApiScope::Read],
                created_at: 1,
                expires_at: None,
                last_used_at: None,
                last_address: None,
            };
            api_keys::insert(&mut transaction, &me.user_id, &key, &number.to_string())
                .await
                .unwrap();
        }
        transaction.commit().await.unwrap();
        let form = json!({"name": "x", "scopes": ["read"], "password": PASSWORD});
        let refused = try_create(&server, &me, form.clone()).await;
        refused.is_problem(StatusCode::CONFLICT, "too_many_api_keys");
        assert_eq!(refused.json()["params"]["max"], MAX_KEYS);
        let listed = server.get_as(&me, KEYS).await.json();
        assert_eq!(listed["keys"].as_array().unwrap().len(), MAX_KEYS);
        let one = listed["keys"][0]["id"].as_str().unwrap();
        assert_eq!(revoke(&server, &me, one).await, StatusCode::NO_CONTENT);
        let created = try_create(&server, &me, form).await;
        assert_eq!(created.status, StatusCode::CREATED);
    });
}

#[apply(each_database!)]
fn keys_expire_and_stay_listed_for_a_while(backend: Backend) {
    const DAY: i64 = 24 * 60 * 60;
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let form = json!({"name": "x", "scopes": ["read"], "expires_in_days": 1,
            "password": PASSWORD});
        let created = try_create(&server, &me, form).await.json();
        let program = TestUser {
            access_token: created["secret"].as_str().unwrap().to_owned(),
            ..me
        };
        server.clock.advance_seconds(DAY - 1);
        assert_eq!(server.get_as(&program, JOBS).await.status, StatusCode::OK);
        server.clock.advance_seconds(2);
        let refused = server.get_as(&program, JOBS).await;
        refused.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
        let keys = async || {
            let me = TestUser::from(&server.login("a@example.com", PASSWORD).await.json());
            let keys = server.get_as(&me, KEYS).await.json();
            keys["keys"].as_array().unwrap().len()
        };
        assert_eq!(keys().await, 1);
        for (days, left) in [(EXPIRED_KEPT_DAYS - 1, 1), (2, 0)] {
            server.clock.advance_seconds(days * DAY);
            let mut transaction = server.state.db.write().await.unwrap();
            let before = server.state.clock.now_ms() - EXPIRED_KEPT_DAYS * DAY * 1000;
            api_keys::remove_expired(&mut transaction, before)
                .await
                .unwrap();
            transaction.commit().await.unwrap();
            assert_eq!(keys().await, left);
        }
    });
}

#[apply(each_database!)]
fn without_api_access_in_the_plan_keys_are_neither_made_nor_used(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let (program, id) = program(&server, &me, &["read"]).await;
        sell_without_api(&server).await;
        let refused = server.get_as(&program, JOBS).await;
        refused.is_problem(StatusCode::FORBIDDEN, "api_not_in_plan");
        let form = json!({"name": "x", "scopes": ["read"], "password": PASSWORD});
        let refused = try_create(&server, &me, form).await;
        refused.is_problem(StatusCode::FORBIDDEN, "api_not_in_plan");
        let listed = server.get_as(&me, KEYS).await.json();
        assert_eq!(listed["in_plan"], false);
        assert_eq!(listed["keys"][0]["id"], id.as_str());
        assert_eq!(revoke(&server, &me, &id).await, StatusCode::NO_CONTENT);
    });
}

#[apply(each_database!)]
fn an_administrators_key_administers_only_with_that_scope(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("a@example.com").await;
        let wav = std::fs::read(WELCOME.path()).unwrap();
        let job = path(&make_job(&server, &me, "a.wav", &wav).await);
        assert_eq!(server.get_as(&admin, &job).await.status, StatusCode::OK);
        let (reader, _) = program(&server, &admin, &["read", "write"]).await;
        let refused = server.get_as(&reader, &job).await;
        refused.is_problem(StatusCode::NOT_FOUND, "not_found");
        let (manager, _) = program(&server, &admin, &["read", "admin"]).await;
        assert_eq!(server.get_as(&manager, &job).await.status, StatusCode::OK);

        let name = format!("/api/v1/admin/users/{}/name", me.user_id);
        let request = server.request(Method::PUT, &name, &manager);
        let request = request.header("content-type", "application/json");
        let body = json!({"fullname": "Олена Шевчук"}).to_string();
        let renamed = server.send(request.body(body.into()).unwrap()).await;
        assert!(renamed.status.is_success(), "{}", renamed.text());
        let log = server.get_as(&admin, "/api/v1/admin/audit").await.json();
        assert_eq!(log["items"][0]["action"], "user.rename");
        assert_eq!(log["items"][0]["api_key"], "nightly");

        // The key loses the right with its owner.
        let mut transaction = server.state.db.write().await.unwrap();
        let statement = format!("DELETE FROM user_roles WHERE user_id = '{}'", admin.user_id);
        slovo_db::testing::execute(&mut transaction, &statement).await;
        transaction.commit().await.unwrap();
        let refused = server.get_as(&manager, "/api/v1/admin/audit").await;
        refused.is_problem(StatusCode::FORBIDDEN, "forbidden");
    });
}

#[apply(each_database!)]
fn administrators_find_and_revoke_the_keys_of_all_accounts(backend: Backend) {
    const ALL: &str = "/api/v1/admin/api-keys";
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("olha@example.com").await;
        program(&server, &admin, &["admin"]).await;
        server.clock.advance_seconds(1);
        let (mine, id) = program(&server, &me, &["read"]).await;
        let all = server.get_as(&admin, ALL).await.json();
        let emails: Vec<_> = all["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| &it["email"])
            .collect();
        assert_eq!(emails, ["olha@example.com", "admin@example.com"]);
        assert!(!all.to_string().contains(&mine.access_token));
        let first = server
            .get_as(&admin, &format!("{ALL}?limit=1"))
            .await
            .json();
        let cursor = first["next_cursor"].as_str().unwrap();
        let second = format!("{ALL}?limit=1&cursor={cursor}");
        let second = server.get_as(&admin, &second).await.json();
        assert_eq!(second["items"][0]["email"], "admin@example.com");
        assert_eq!(second["next_cursor"], Value::Null);
        let found = format!("{ALL}?search=OLHA");
        let found = server.get_as(&admin, &found).await.json();
        assert_eq!(found["items"][0]["key"]["id"], id.as_str());

        let path = format!("{ALL}/{id}");
        let refused = send(&server, &me, Method::DELETE, &path).await;
        refused.is_problem(StatusCode::FORBIDDEN, "forbidden");
        let revoked = send(&server, &admin, Method::DELETE, &path).await;
        assert_eq!(revoked.status, StatusCode::NO_CONTENT);
        let again = send(&server, &admin, Method::DELETE, &path).await;
        again.is_problem(StatusCode::NOT_FOUND, "not_found");
        let refused = server.get_as(&mine, JOBS).await;
        refused.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
        let log = server.get_as(&admin, "/api/v1/admin/audit").await.json();
        assert_eq!(log["items"][0]["action"], "user.revoke_key");
        assert_eq!(log["items"][0]["target_name"], "olha@example.com");
        assert_eq!(log["items"][0]["before"], json!({"name": "nightly"}));
    });
}

#[apply(each_database!)]
fn revoking_a_key_ends_its_streams_and_links(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let wav = std::fs::read(WELCOME.path()).unwrap();
        let job = make_job(&server, &me, "a.wav", &wav).await;
        let (program, id) = program(&server, &me, &["read"]).await;
        let link = format!("{}/media-link", path(&job));
        let link = server.post_as(&program, &link, &json!({})).await.json();
        let link = link["url"].as_str().unwrap();
        assert_eq!(server.get(link).await.status, StatusCode::OK);
        let stream = watch(&server, &program, &job).await;
        assert_eq!(revoke(&server, &me, &id).await, StatusCode::NO_CONTENT);
        let rest = axum::body::to_bytes(stream.into_body(), usize::MAX);
        tokio::time::timeout(TIMEOUT, rest).await.unwrap().unwrap();
        let refused = server.get(link).await;
        refused.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
    });
}

#[apply(each_database!)]
fn requests_with_keys_are_counted_for_the_whole_account(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let (one, _) = program(&server, &me, &["read"]).await;
        let (other, _) = program(&server, &me, &["read"]).await;
        let first = server.get_as(&one, JOBS).await;
        assert_eq!(first.header("ratelimit-policy"), "\"requests\";q=600;w=60");
        assert_eq!(first.header("ratelimit"), "\"requests\";r=599;t=1");
        for _ in 1..600 {
            assert_eq!(server.get_as(&other, JOBS).await.status, StatusCode::OK);
        }
        let refused = server.get_as(&one, JOBS).await;
        refused.is_problem(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
        assert_eq!(refused.header("ratelimit"), "\"requests\";r=0;t=60");
        assert_eq!(refused.header("retry-after"), "1");
        let page = server.get_as(&me, JOBS).await;
        assert_eq!(page.status, StatusCode::OK, "the web app is not concerned");
        assert!(page.headers.get("ratelimit").is_none());
        server.clock.advance_seconds(1);
        assert_eq!(server.get_as(&one, JOBS).await.status, StatusCode::OK);
    });
}

#[apply(each_database!)]
fn a_blocked_accounts_keys_do_not_work(backend: Backend) {
    with_server(backend, async |server| {
        server.signup("admin@example.com").await;
        let me = server.signup("a@example.com").await;
        let (program, _) = program(&server, &me, &["read"]).await;
        let mut transaction = server.state.db.write().await.unwrap();
        let status = slovo_db::accounts::Status::Blocked;
        slovo_db::accounts::set_status(&mut transaction, &me.user_id, status)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        let refused = server.get_as(&program, JOBS).await;
        refused.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
    });
}

#[apply(each_database!)]
fn what_only_looks_like_a_key_is_refused(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let (program, _) = program(&server, &me, &["read"]).await;
        let secret = &program.access_token;
        let mut changed = secret.clone();
        let last = if changed.pop() == Some('A') { 'B' } else { 'A' };
        changed.push(last);
        let long = format!("slovo_{}", "x".repeat(4000));
        let longer = format!("{secret}x");
        let shorter = &secret[..secret.len() - 1];
        for token in [
            &*changed,
            &*long,
            &*longer,
            shorter,
            "slovo_",
            "slovo_' OR 1=1 --",
        ] {
            let who = TestUser {
                access_token: token.to_owned(),
                ..me.clone()
            };
            let refused = server.get_as(&who, JOBS).await;
            refused.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
        }
    });
}
