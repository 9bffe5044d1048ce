//! Every action of the API document while the database fails: it says so, with 503 or 507, and never
//! with 500.

use axum::http::{StatusCode, header};
use serde_json::{Value, json};
use slovo_db::testing::Failure;

use super::permissions::{Action, EMAIL, actions, owned, request};
use crate::testing::{Backend, PASSWORD, TestServer, TestUser, apply, each_database, with_server};

/// Bodies for actions whose rules refuse the minimal body of their schema.
fn body_of(action: &Action) -> Value {
    let password = PASSWORD;
    let code = "123456";
    match action.name().as_str() {
        "POST /api/v1/auth/login" => json!({"email": EMAIL, "password": password}),
        "POST /api/v1/auth/signup" => crate::testing::signup_form("next@example.com"),
        "POST /api/v1/auth/password/forgot" => json!({"email": EMAIL, "locale": "en"}),
        "POST /api/v1/auth/password/reset" => {
            json!({"token": "x", "password": password, "confirm_password": password})
        }
        "POST /api/v1/auth/verify" => json!({"registration": "x", "code": code}),
        "DELETE /api/v1/me" => json!({"password": password, "email": EMAIL}),
        "POST /api/v1/presets" => json!({"name": "another", "is_public": false}),
        "POST /api/v1/tags" | "POST /api/v1/folders" => json!({"name": "another", "color": 0}),
        "PUT /api/v1/tags/{id}" | "PUT /api/v1/folders/{id}" => json!({"name": "x", "color": 0}),
        "POST /api/v1/me/webhooks" | "PUT /api/v1/me/webhooks/{id}" => json!({
            "name": "x", "url": "https://example.com/", "is_active": true,
            "events": ["job.completed"]
        }),
        "POST /api/v1/me/sources" | "PUT /api/v1/me/sources/{id}" => json!({
            "name": "x", "kind": "podcast", "location": "https://example.com/x",
            "is_active": false
        }),
        "POST /api/v1/me/targets" | "PUT /api/v1/me/targets/{id}" => json!({
            "name": "x", "kind": "webdav", "location": "https://example.com/x",
            "format": "md", "is_active": false
        }),
        "POST /api/v1/me/api-keys" => json!({"name": "x", "scopes": ["read"]}),
        "POST /api/v1/newsletter" => json!({"email": EMAIL, "locale": "en", "agreed": true}),
        _ => action.body.clone(),
    }
}

#[apply(each_database!)]
fn without_a_database_actions_are_unavailable_with_retry_after(backend: Backend) {
    with_server(backend, async |server| {
        let owned = owned(&server).await;
        let token = Some(owned.who.access_token.as_str());
        // The session stays cached while the clock does not advance and nothing is written.
        let me = server.get_as(&owned.who, "/api/v1/auth/me").await;
        assert_eq!(me.status, StatusCode::OK);
        server.state.db.close().await;
        let (mut unavailable, mut others) = (0, Vec::new());
        for action in actions() {
            let token = token.filter(|_| !action.public);
            let path = owned.path(&action);
            // The body of an archive is cut off, as in a browser.
            let answer = server
                .open(request(&action, &path, token, &body_of(&action)))
                .await;
            let (name, status) = (action.name(), answer.status());
            assert_ne!(status, StatusCode::INTERNAL_SERVER_ERROR, "{name}");
            if status == StatusCode::SERVICE_UNAVAILABLE {
                assert_eq!(answer.headers()[header::RETRY_AFTER], "1", "{name}");
                unavailable += 1;
            } else {
                others.push(format!("{name}: {status}"));
            }
        }
        // The others need no database, or refuse the request before using it.
        assert!(
            unavailable > 110,
            "only {unavailable} ask for it; not {others:#?}"
        );
        let signs_in = others.iter().any(|other| other.contains("auth/login"));
        assert!(!signs_in, "{others:#?}");
    });
}

/// More than the steps of any action.
const STEPS: usize = 60;

/// The actions as they can be tried in turn: those that end something come last, the account's own end
/// at the very end.
fn in_turn() -> Vec<Action> {
    let mut actions = actions();
    actions.sort_by_key(|action| match action.name().as_str() {
        "DELETE /api/v1/me" => 3,
        name if name.contains("/me/export") || name.contains("/auth/") => 2,
        name if name.starts_with("DELETE") => 1,
        _ => 0,
    });
    actions
}

/// Lets each action's first step fail, then its second, until it ends without a failure. Returns how many
/// steps failed.
async fn fail_each_step(server: &TestServer, failure: Failure, expected: StatusCode) -> usize {
    let owned = owned(server).await;
    let faults = server.state.db.faults();
    let mut who = owned.who.clone();
    let mut failed = 0;
    for action in in_turn() {
        server.clock.advance_seconds(1);
        // Some actions end the session.
        if server.me(&who).await.status != StatusCode::OK {
            let session = server.login(EMAIL, PASSWORD).await;
            who = TestUser::from(&session.json());
        }
        let token = Some(who.access_token.as_str()).filter(|_| !action.public);
        let path = owned.path(&action);
        for step in 0..STEPS {
            faults.fail_after(failure, step);
            let asked = request(&action, &path, token, &body_of(&action));
            let answer = server.open(asked).await;
            let (name, status) = (action.name(), answer.status());
            assert_ne!(
                status,
                StatusCode::INTERNAL_SERVER_ERROR,
                "{name}, step {step}"
            );
            if !faults.end() {
                break;
            }
            if status == expected {
                failed += 1;
            }
            if status == StatusCode::SERVICE_UNAVAILABLE {
                assert_eq!(answer.headers()[header::RETRY_AFTER], "1", "{name}");
            }
            eprintln!("{name} step {step}: {status}");
            assert!(step + 1 < STEPS, "{name} never ends");
        }
    }
    failed
}

#[apply(each_database!)]
fn whichever_step_loses_the_database_the_answer_is_503(backend: Backend) {
    with_server(backend, async |server| {
        let failed = fail_each_step(
            &server,
            Failure::Unreachable,
            StatusCode::SERVICE_UNAVAILABLE,
        )
        .await;
        assert!(failed > 370, "{failed}");
    });
}

#[apply(each_database!)]
fn whichever_step_finds_the_disk_full_the_answer_is_507(backend: Backend) {
    with_server(backend, async |server| {
        let failed = fail_each_step(&server, Failure::Full, StatusCode::INSUFFICIENT_STORAGE).await;
        assert!(failed > 130, "{failed}");
    });
}
