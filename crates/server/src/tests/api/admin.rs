//! Administration of accounts, and access to it.

pub(crate) mod adjust_balance;
pub(crate) mod analysis_endpoint;
pub(crate) mod audit;
pub(crate) mod jobs;
pub(crate) mod mail;
mod maintenance;
pub(crate) mod messages;
pub(crate) mod models;
pub(crate) mod nocodb;
pub(crate) mod overview;
pub(crate) mod plans;
pub(crate) mod presets;
pub(crate) mod settings;
pub(crate) mod setup;
pub(crate) mod sign_ins;
pub(crate) mod site;
pub(crate) mod speech_double;
pub(crate) mod speech_endpoint;
pub(crate) mod users;
pub(crate) mod waiting;
pub(crate) mod webhook_services;

use axum::body::{Body, to_bytes};
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::testing::{
    Answer, Backend, PASSWORD, TIMEOUT, TestServer, TestUser, apply, each_database, with_server,
};
use crate::tests::api::me::support::{job, send_json};

const PATH: &str = "/api/v1/admin/users";

async fn set(
    server: &TestServer,
    actor: &TestUser,
    user: &TestUser,
    field: &str,
    value: &str,
) -> Answer {
    let path = format!("{PATH}/{}/{field}", user.user_id);
    send_json(server, actor, Method::PUT, &path, &json!({field: value})).await
}

#[apply(each_database!)]
fn users_are_listed_searched_and_filtered(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        server.clock.advance_seconds(1);
        let olha = server.signup("olha@example.com").await;
        let name = json!({"fullname": "Ольга Кобилянська", "terms": true});
        send_json(&server, &olha, Method::PUT, "/api/v1/me/profile", &name).await;
        let list = async |query: &str| {
            let answer = server.get_as(&admin, &format!("{PATH}{query}")).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
            answer.json()
        };
        let all = list("").await;
        assert_eq!(all["total"], 2);
        let expected = json!({"id": olha.user_id, "email": "olha@example.com",
            "fullname": "Ольга Кобилянська", "subscription_id": null, "plan_name": null, "role": "user",
            "status": "active", "created_at": "2026-03-01T12:00:01Z",
            "last_used_at": "2026-03-01T12:00:01Z"});
        assert_eq!(all["users"][0], expected);
        assert_eq!(all["users"][1]["role"], "admin");
        let found = list("?search=%D0%9A%D0%9E%D0%91%D0%98%D0%9B").await;
        assert_eq!(
            (&found["total"], &found["users"][0]),
            (&json!(1), &expected)
        );
        assert_eq!(list("?search=ADMIN@").await["total"], 1);
        for no_match in ["?search=%25", "?search=%00", "?search='%20OR%201=1"] {
            let empty = json!({"users": [], "next_cursor": null, "total": 0});
            assert_eq!(list(no_match).await, empty);
        }
        set(&server, &admin, &olha, "status", "blocked").await;
        for (query, email) in [
            ("?status=blocked", "olha@example.com"),
            ("?status=active", "admin@example.com"),
            ("?role=user", "olha@example.com"),
            ("?role=admin", "admin@example.com"),
        ] {
            let found = list(query).await;
            assert_eq!(found["total"], 1, "{query}");
            assert_eq!(found["users"][0]["email"], email);
        }
        assert_eq!(list("?role=admin&status=blocked").await["total"], 0);
        for junk in ["?status=x", "?role=", "?limit=-1", "?cursor=x"] {
            let refused = server.get_as(&admin, &format!("{PATH}{junk}")).await;
            refused.is_problem(StatusCode::BAD_REQUEST, "malformed_query");
        }
    });
}

#[apply(each_database!)]
fn the_user_list_is_paged_and_counts_all_users(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let mut transaction = server.state.db.write().await.unwrap();
        for number in 0..120 {
            let id = server.state.new_id();
            let new = slovo_db::accounts::NewAccount {
                id: &id,
                synced_user_id: &id,
                email: &format!("{number}@example.com"),
                password_hash: None,
                // Several rows with the same time.
                created_at: number / 7,
            };
            slovo_db::accounts::insert(&mut transaction, &new)
                .await
                .unwrap();
        }
        transaction.commit().await.unwrap();
        let (mut emails, mut sizes, mut cursor) = (Vec::new(), Vec::new(), String::new());
        loop {
            let path = format!("{PATH}?search=EXAMPLE&cursor={cursor}");
            let page = server.get_as(&admin, &path).await.json();
            assert_eq!(page["total"], 121);
            let users = page["users"].as_array().unwrap();
            sizes.push(users.len());
            emails.extend(users.iter().map(|user| user["email"].to_string()));
            match page["next_cursor"].as_str() {
                Some(next) => cursor = next.to_owned(),
                None => break,
            }
        }
        assert_eq!(sizes, [50, 50, 21]);
        assert_eq!(emails[0], "\"admin@example.com\"");
        emails.sort();
        emails.dedup();
        assert_eq!(emails.len(), 121);
        let all = server.get_as(&admin, &format!("{PATH}?limit=1000")).await;
        assert_eq!(all.json()["users"].as_array().unwrap().len(), 100);
    });
}

#[apply(each_database!)]
fn only_administrators_may_manage_users(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("a@example.com").await;
        server
            .get_as(&me, PATH)
            .await
            .is_problem(StatusCode::FORBIDDEN, "forbidden");
        server
            .get(PATH)
            .await
            .is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
        for (field, value) in [("status", "blocked"), ("role", "user"), ("role", "admin")] {
            for user in [&admin, &me] {
                let refused = set(&server, &me, user, field, value).await;
                refused.is_problem(StatusCode::FORBIDDEN, "forbidden");
            }
        }
        let unknown = TestUser {
            user_id: "0197f3a0-0000-7000-8000-000000000000".to_owned(),
            ..me.clone()
        };
        for (field, value) in [
            ("status", "blocked"),
            ("status", "active"),
            ("role", "admin"),
        ] {
            let missing = set(&server, &admin, &unknown, field, value).await;
            missing.is_problem(StatusCode::NOT_FOUND, "not_found");
        }
        let strange = set(&server, &admin, &me, "status", "deleted").await;
        strange.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "unexpected_json");
    });
}

#[apply(each_database!)]
fn blocking_a_user_ends_sessions_links_and_streams(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("a@example.com").await;
        let id = job(&server, &me, "a.wav", b"recording").await;
        let path = format!("/api/v1/jobs/{id}");
        let linked = format!("{path}/media-link");
        let link = server.post_as(&me, &linked, &Value::Null).await;
        let link = link.json()["url"].as_str().unwrap().to_owned();
        assert_eq!(server.get(&link).await.text(), "recording");
        let stream = server.request(Method::GET, &format!("{path}/events"), &me);
        let stream = server.open(stream.body(Body::empty()).unwrap()).await;
        assert_eq!(stream.status(), StatusCode::OK);

        let blocked = set(&server, &admin, &me, "status", "blocked").await;
        assert_eq!(blocked.status, StatusCode::OK, "{}", blocked.text());
        assert_eq!(blocked.json()["status"], "blocked");
        assert_eq!(server.me(&me).await.status, StatusCode::UNAUTHORIZED);
        assert_eq!(server.get(&link).await.status, StatusCode::UNAUTHORIZED);
        let token = json!({"refresh_token": me.refresh_token});
        let refreshed = server.post("/api/v1/auth/refresh", &token).await;
        assert_eq!(refreshed.status, StatusCode::UNAUTHORIZED);
        let login = server.login("a@example.com", PASSWORD).await;
        login.is_problem(StatusCode::FORBIDDEN, "account_blocked");
        // The job is still queued, so the stream ends because the reader was blocked.
        let ended = to_bytes(stream.into_body(), usize::MAX);
        let ended = tokio::time::timeout(TIMEOUT, ended).await;
        let events = ended.expect("the stream goes on").unwrap();
        assert!(String::from_utf8_lossy(&events).contains("event: state"));

        // After unblocking, a new sign-in is required: old sessions stay ended.
        set(&server, &admin, &me, "status", "active").await;
        assert_eq!(server.me(&me).await.status, StatusCode::UNAUTHORIZED);
        let login = server.login("a@example.com", PASSWORD).await;
        assert_eq!(login.status, StatusCode::OK, "{}", login.text());
    });
}

#[apply(each_database!)]
fn a_media_link_ends_with_its_session(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let id = job(&server, &me, "a.wav", b"recording").await;
        let path = format!("/api/v1/jobs/{id}/media-link");
        let link = server.post_as(&me, &path, &Value::Null).await.json();
        let link = link["url"].as_str().unwrap();
        assert_eq!(server.get(link).await.status, StatusCode::OK);
        let token = json!({"refresh_token": me.refresh_token});
        server.post("/api/v1/auth/logout", &token).await;
        let answer = server.get(link).await;
        answer.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
    });
}

#[apply(each_database!)]
fn the_last_administrator_cannot_be_blocked_or_demoted(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("a@example.com").await;
        for (field, value) in [("status", "blocked"), ("role", "user")] {
            let refused = set(&server, &admin, &admin, field, value).await;
            refused.is_problem(StatusCode::CONFLICT, "last_admin");
        }
        let granted = set(&server, &admin, &me, "role", "admin").await;
        assert_eq!(granted.json()["role"], "admin");
        let (first, second) = tokio::join!(
            set(&server, &admin, &me, "status", "blocked"),
            set(&server, &me, &admin, "status", "blocked")
        );
        let succeeded = [&first, &second]
            .iter()
            .filter(|answer| answer.status == 200)
            .count();
        assert_eq!(succeeded, 1, "{} {}", first.text(), second.text());
        let remaining = if first.status == 200 { &admin } else { &me };
        let refused = set(&server, remaining, remaining, "role", "user").await;
        refused.is_problem(StatusCode::CONFLICT, "last_admin");
        assert_eq!(server.me(remaining).await.json()["role"], "admin");
    });
}
