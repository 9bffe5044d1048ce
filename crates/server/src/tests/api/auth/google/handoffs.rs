//! From the callback to the session.

use axum::http::StatusCode;
use serde_json::json;
use slovo_db::accounts::{Status, set_status};

use super::browser::{Browser, assert_redirect, handoff};
use super::provider::{self, account};
use crate::testing::{
    Answer, Backend, TestServer, TestUser, apply, each_database, with_server_options,
};

async fn sign_in_at_provider(server: &TestServer, browser: &mut Browser, query: &str) -> Answer {
    let person = json!({"sub": "handed", "email": "handed@example.com", "email_verified": true});
    account(person).await;
    browser.arrive(server, query, "handed").await
}

#[apply(each_database!)]
fn a_handoff_works_once_and_removes_the_cookie(backend: Backend) {
    with_server_options(backend, &provider::options(), async |server| {
        let mut browser = Browser::new();
        let answer = sign_in_at_provider(&server, &mut browser, "intent=login").await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER);
        assert_eq!(answer.header("cache-control"), "no-store");
        assert_eq!(answer.header("referrer-policy"), "no-referrer");
        assert!(answer.header("set-cookie").contains("Max-Age=60"));
        let handoff = handoff(&answer);
        let cookie = browser.cookie.clone();
        let session = browser.session(&server, &handoff).await;
        assert_eq!(session.status, StatusCode::OK);
        assert_eq!(browser.cookie, None);
        browser.cookie = cookie;
        let again = browser.session(&server, &handoff).await;
        again.is_problem(StatusCode::GONE, "handoff_expired");
        assert_eq!(browser.cookie, None);
    });
}

#[apply(each_database!)]
fn a_handoff_is_refused_in_another_browser(backend: Backend) {
    with_server_options(backend, &provider::options(), async |server| {
        let mut browser = Browser::new();
        let foreign = handoff(&sign_in_at_provider(&server, &mut browser, "intent=login").await);
        let stranger = Browser::new().session(&server, &foreign).await;
        stranger.is_problem(StatusCode::GONE, "handoff_expired");
        // Nor in a browser with a sign-in of its own; that sign-in still works afterwards.
        let mut other = Browser::new();
        let own = handoff(&sign_in_at_provider(&server, &mut other, "intent=login").await);
        let cookie = other.cookie.clone();
        let fixed = other.session(&server, &foreign).await;
        fixed.is_problem(StatusCode::GONE, "handoff_expired");
        other.cookie = cookie;
        assert_eq!(other.session(&server, &own).await.status, StatusCode::OK);
        let rightful = browser.session(&server, &foreign).await;
        assert_eq!(rightful.status, StatusCode::OK);
    });
}

#[apply(each_database!)]
fn a_handoff_expires_after_a_minute(backend: Backend) {
    with_server_options(backend, &provider::options(), async |server| {
        for (seconds, status) in [(59, StatusCode::OK), (60, StatusCode::GONE)] {
            let mut browser = Browser::new();
            let handoff =
                handoff(&sign_in_at_provider(&server, &mut browser, "intent=login").await);
            server.clock.advance_seconds(seconds);
            assert_eq!(browser.session(&server, &handoff).await.status, status);
        }
    });
}

#[apply(each_database!)]
fn the_session_is_remembered_as_requested(backend: Backend) {
    with_server_options(backend, &provider::options(), async |server| {
        for remember in [true, false] {
            let mut browser = Browser::new();
            let query = format!("intent=login&remember={remember}");
            let handoff = handoff(&sign_in_at_provider(&server, &mut browser, &query).await);
            let session = browser.session(&server, &handoff).await.json();
            let signed = TestUser::from(&session);
            let listed = server.get_as(&signed, "/api/v1/auth/sessions").await.json();
            let sessions = listed["sessions"].as_array().unwrap();
            let current = sessions
                .iter()
                .find(|entry| entry["current"] == true)
                .unwrap();
            assert_eq!(current["remember"], remember);
        }
    });
}

async fn block(server: &TestServer, user_id: &str, status: Status) {
    let mut transaction = server.state.db.write().await.unwrap();
    set_status(&mut transaction, user_id, status).await.unwrap();
    transaction.commit().await.unwrap();
}

#[apply(each_database!)]
fn a_blocked_account_is_refused_at_every_step(backend: Backend) {
    with_server_options(backend, &provider::options(), async |server| {
        super::people::insert(&server, "u1", "handed@example.com").await;
        // Blocked before the account is linked, after it, and between callback and session.
        block(&server, "u1", Status::Blocked).await;
        let answer = sign_in_at_provider(&server, &mut Browser::new(), "intent=login").await;
        assert_redirect(&answer, "/login?problem=account_blocked");
        block(&server, "u1", Status::Active).await;
        let mut browser = Browser::new();
        let handoff = handoff(&sign_in_at_provider(&server, &mut browser, "intent=login").await);
        block(&server, "u1", Status::Blocked).await;
        let session = browser.session(&server, &handoff).await;
        session.is_problem(StatusCode::FORBIDDEN, "account_blocked");
        let answer = sign_in_at_provider(&server, &mut Browser::new(), "intent=login").await;
        assert_redirect(&answer, "/login?problem=account_blocked");
    });
}
