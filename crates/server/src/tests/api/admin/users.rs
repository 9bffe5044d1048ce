//! Administration of accounts: creating, renaming, ending sessions, password links and deleting.

use axum::body::Body;
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::testing::{
    Answer, Backend, PASSWORD, TestServer, TestUser, apply, each_database, with_server,
};
use crate::tests::api::me::support::{job, send_json};

const PATH: &str = "/api/v1/admin/users";

async fn delete(server: &TestServer, who: &TestUser, path: &str) -> Answer {
    let request = server.request(Method::DELETE, path, who);
    server.send(request.body(Body::empty()).unwrap()).await
}

/// The token of the link in the newest mail to this address.
async fn token(server: &TestServer, to: &str) -> String {
    let link = server.last_mail(to).await.link();
    let (page, token) = link.split_once("#token=").unwrap();
    assert!(page.ends_with("/reset-password"), "{link}");
    token.to_owned()
}

async fn set_password(server: &TestServer, token: &str) -> Answer {
    let form = json!({"token": token, "password": PASSWORD, "confirm_password": PASSWORD});
    server.post("/api/v1/auth/password/reset", &form).await
}

/// (action, name, after), the newest first.
async fn log(server: &TestServer, admin: &TestUser) -> Vec<(String, String, Value)> {
    let page = server.get_as(admin, "/api/v1/admin/audit").await.json();
    let items = page["items"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    items
        .map(|entry| {
            let after = entry["after"].clone();
            (text(&entry["action"]), text(&entry["target_name"]), after)
        })
        .collect()
}

#[apply(each_database!)]
fn an_invited_user_sets_a_password(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let form = json!({"email": " Olha@Example.com ", "fullname": " Ольга К ", "locale": "uk"});
        let created = server.post_as(&admin, PATH, &form).await;
        assert_eq!(created.status, StatusCode::CREATED, "{}", created.text());
        let created = created.json();
        assert_eq!(created["mailed"], true);
        let user = &created["user"];
        assert_eq!(
            (&user["email"], &user["fullname"], &user["role"]),
            (
                &json!("olha@example.com"),
                &json!("Ольга К"),
                &json!("user")
            )
        );
        let mail = server.last_mail("olha@example.com").await;
        assert_eq!(mail.subject, "Вас запрошено до Slovo");
        assert!(mail.text.contains("admin@example.com"), "{}", mail.text);
        let early = server.login("olha@example.com", PASSWORD).await;
        early.is_problem(StatusCode::UNAUTHORIZED, "invalid_credentials");
        let old = token(&server, "olha@example.com").await;
        // A new link invalidates the first one.
        let path = format!("{PATH}/{}/password-link", user["id"].as_str().unwrap());
        let again = server.post_as(&admin, &path, &Value::Null).await;
        assert_eq!(again.json(), json!({"mailed": true}));
        let subject = server.last_mail("olha@example.com").await.subject;
        assert_eq!(subject, "Вас запрошено до Slovo");
        let refused = set_password(&server, &old).await;
        refused.is_problem(StatusCode::GONE, "reset_link_invalid");
        server.clock.advance_seconds(3 * 24 * 3600 - 1);
        let new = token(&server, "olha@example.com").await;
        let set = set_password(&server, &new).await;
        assert_eq!(set.status, StatusCode::NO_CONTENT, "{}", set.text());
        let olha = server.login("olha@example.com", PASSWORD).await;
        assert_eq!(olha.status, StatusCode::OK);
        assert_eq!(olha.json()["user"]["fullname"], "Ольга К");

        let admin = TestUser::from(&server.login("admin@example.com", PASSWORD).await.json());
        let taken = json!({"email": "OLHA@example.com"});
        let taken = server.post_as(&admin, PATH, &taken).await;
        taken.is_problem(StatusCode::CONFLICT, "email_taken");
        let hostile = json!({"email": "a@b\r\nBcc: x@y.z", "fullname": "x".repeat(5000)});
        let hostile = server.post_as(&admin, PATH, &hostile).await;
        hostile.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        assert_eq!(hostile.json()["errors"].as_array().unwrap().len(), 2);
        // She has a password by now, so the next link resets it.
        let reset = server.post_as(&admin, &path, &Value::Null).await;
        assert_eq!(reset.status, StatusCode::OK);
        let subject = server.last_mail("olha@example.com").await.subject;
        assert_eq!(subject, "Новий пароль для Slovo");
        let mails = [
            json!({"kind": "reset"}),
            json!({"kind": "invitation"}),
            json!({"email": "olha@example.com", "fullname": "Ольга К"}),
        ];
        let actions = ["user.send_link", "user.send_link", "user.create"];
        let expected: Vec<_> = actions
            .into_iter()
            .zip(mails)
            .map(|(action, after)| (action.to_owned(), "olha@example.com".to_owned(), after))
            .collect();
        let mut log = log(&server, &admin).await;
        // Entries of the same millisecond have no order.
        log[1..].sort_by(|a, b| b.0.cmp(&a.0));
        assert_eq!(log, expected);
    });
}

#[apply(each_database!)]
fn a_user_is_renamed_and_signed_out(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("olha@example.com").await;
        let path = format!("{PATH}/{}", me.user_id);
        let rename = async |who: &TestUser, name: &str| {
            let form = json!({"fullname": name});
            send_json(&server, who, Method::PUT, &format!("{path}/name"), &form).await
        };
        assert_eq!(rename(&admin, "Леся").await.json()["fullname"], "Леся");
        let search = format!("{PATH}?search=%D0%9B%D0%95%D0%A1");
        assert_eq!(server.get_as(&admin, &search).await.json()["total"], 1);
        for bad in ["", " \u{0}\n", &"x".repeat(5000)] {
            let refused = rename(&admin, bad).await;
            refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        }
        let refused = rename(&me, "x").await;
        refused.is_problem(StatusCode::FORBIDDEN, "forbidden");

        let sessions = format!("{path}/sessions");
        let refused = delete(&server, &me, &sessions).await;
        refused.is_problem(StatusCode::FORBIDDEN, "forbidden");
        server.clock.advance_seconds(1);
        let ended = delete(&server, &admin, &sessions).await;
        assert_eq!(ended.status, StatusCode::NO_CONTENT);
        assert_eq!(server.me(&me).await.status, StatusCode::UNAUTHORIZED);
        let again = server.login("olha@example.com", PASSWORD).await;
        assert_eq!(again.status, StatusCode::OK);
        let own = format!("{PATH}/{}/sessions", admin.user_id);
        let own = delete(&server, &admin, &own).await;
        own.is_problem(StatusCode::CONFLICT, "own_account");
        assert_eq!(server.me(&admin).await.status, StatusCode::OK);
        let log = log(&server, &admin).await;
        assert_eq!(log[0].0, "user.end_sessions");
        assert_eq!(log[0].2, json!({"count": 1}));
        assert_eq!(log[1].0, "user.rename");
        let unknown = format!("{PATH}/{}/password-link", uuid::Uuid::from_u128(9));
        let unknown = server.post_as(&admin, &unknown, &Value::Null).await;
        unknown.is_problem(StatusCode::NOT_FOUND, "not_found");
    });
}

#[apply(each_database!)]
fn a_user_is_exported_and_then_deleted(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("olha@example.com").await;
        let id = job(&server, &me, "talk.wav", b"recording").await;
        let media = {
            let mut connection = server.state.db.read().await.unwrap();
            let found = slovo_db::jobs::find_any(&mut connection, id).await;
            server.state.storage.media(found.unwrap().unwrap().media_id)
        };
        let path = format!("{PATH}/{}", me.user_id);
        let form = json!({"recordings": true});
        let export = format!("{path}/export");
        let refused = server.post_as(&me, &export, &form).await;
        refused.is_problem(StatusCode::FORBIDDEN, "forbidden");
        let link = server.post_as(&admin, &export, &form).await;
        assert_eq!(link.status, StatusCode::OK, "{}", link.text());
        let link = link.json()["url"].as_str().unwrap().to_owned();
        let archive = server.get(&link).await;
        assert_eq!(archive.status, StatusCode::OK);
        let contains = |text: &str| {
            let text = text.as_bytes();
            archive
                .body
                .windows(text.len())
                .any(|window| window == text)
        };
        // Recordings are not compressed in the archive.
        assert!(contains("recording") && contains("jobs/"));

        let refused = delete(&server, &me, &path).await;
        refused.is_problem(StatusCode::FORBIDDEN, "forbidden");
        let own = delete(&server, &admin, &format!("{PATH}/{}", admin.user_id)).await;
        own.is_problem(StatusCode::CONFLICT, "own_account");
        server.clock.advance_seconds(1);
        let deleted = delete(&server, &admin, &path).await;
        assert_eq!(deleted.status, StatusCode::NO_CONTENT, "{}", deleted.text());
        assert_eq!(server.me(&me).await.status, StatusCode::UNAUTHORIZED);
        assert!(!media.exists());
        for missing in [
            delete(&server, &admin, &path).await,
            server.get(&link).await,
            server.post_as(&admin, &export, &form).await,
        ] {
            missing.is_problem(StatusCode::NOT_FOUND, "not_found");
        }
        let log = log(&server, &admin).await;
        let actions: Vec<_> = log.iter().map(|(action, ..)| action.as_str()).collect();
        assert_eq!(actions, ["user.delete", "user.export"]);
        // The audit log keeps the actions without the deleted account's data.
        assert!(
            log.iter().all(|(_, name, _)| !name.contains("olha")),
            "{log:?}"
        );
        let next = json!({"email": "olha@example.com"});
        let next = server.post_as(&admin, PATH, &next).await;
        assert_eq!(next.status, StatusCode::CREATED, "{}", next.text());
    });
}

#[apply(each_database!)]
fn an_archive_link_ends_when_its_administrator_loses_the_role(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("olha@example.com").await;
        let export = format!("{PATH}/{}/export", me.user_id);
        let link = server
            .post_as(&admin, &export, &json!({"recordings": false}))
            .await;
        let link = link.json()["url"].as_str().unwrap().to_owned();
        assert_eq!(server.get(&link).await.status, StatusCode::OK);
        let mut transaction = server.state.db.write().await.unwrap();
        let now = server.state.clock.now_ms();
        slovo_db::accounts::roles::grant_admin(&mut transaction, &me.user_id, now)
            .await
            .unwrap();
        slovo_db::accounts::roles::revoke_admin(&mut transaction, &admin.user_id)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        let hidden = server.get(&link).await;
        hidden.is_problem(StatusCode::NOT_FOUND, "not_found");
    });
}
