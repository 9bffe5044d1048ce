//! Callbacks that do not complete a sign-in of this browser.

use axum::http::StatusCode;
use serde_json::json;

use super::browser::{Browser, handoff, leads_back};
use super::people::has_account;
use super::provider::{self, account};
use crate::testing::{Backend, TestServer, apply, each_database, with_server_options};

const FAILED: &str = "/login?problem=google_failed";
const EMAIL: &str = "refused@example.com";

/// A browser back from the provider, and its callback path.
async fn back(server: &TestServer) -> (Browser, String) {
    account(json!({"sub": "refused", "email": EMAIL, "email_verified": true})).await;
    let mut browser = Browser::new();
    let page = browser.start(server, "intent=login").await;
    let back = browser.visit(page, Some("refused")).await;
    (browser, back)
}

/// The path with a changed parameter, or without it.
fn with(path: &str, name: &str, change: impl Fn(&str) -> Option<String>) -> String {
    let (path, query) = path.split_once('?').unwrap();
    let pairs = query.split('&').filter_map(|pair| {
        let (key, value) = pair.split_once('=').unwrap();
        let value = if key == name {
            change(value)?
        } else {
            value.to_owned()
        };
        Some(format!("{key}={value}"))
    });
    format!("{path}?{}", pairs.collect::<Vec<_>>().join("&"))
}

#[apply(each_database!)]
fn tampered_parameters_lead_back(backend: Backend) {
    with_server_options(backend, &provider::options(), async |server| {
        let (mut browser, path) = back(&server).await;
        let cookie = browser.cookie.clone();
        for tampered in [
            with(&path, "state", |state| Some(format!("{state}x"))),
            with(&path, "state", |state| Some(state.to_lowercase())),
            with(&path, "state", |_| Some(String::new())),
            with(&path, "state", |_| None),
            with(&path, "code", |_| None),
            with(&path, "code", |_| Some(String::new())),
            with(&path, "code", |_| Some("%00%FF'--".to_owned())),
            format!("{path}&state=x"),
            format!("{path}&code=x"),
            format!("{path}&error=access_denied"),
            "/api/v1/auth/google/callback".to_owned(),
            "/api/v1/auth/google/callback?%FF=%FF&&=".to_owned(),
        ] {
            browser.cookie.clone_from(&cookie);
            let answer = browser.open(&server, &tampered).await;
            leads_back(&answer, FAILED);
        }
        assert!(!has_account(&server, EMAIL).await);
        // None of these attempts has used the code.
        browser.cookie = cookie;
        handoff(&browser.open(&server, &path).await);
    });
}

#[apply(each_database!)]
fn another_browser_gets_nothing(backend: Backend) {
    with_server_options(backend, &provider::options(), async |server| {
        let (mut browser, path) = back(&server).await;
        leads_back(&Browser::new().open(&server, &path).await, FAILED);
        let mut victim = Browser::new();
        victim.start(&server, "intent=signup").await;
        let answer = victim.open(&server, &path).await;
        leads_back(&answer, "/signup?problem=google_failed");
        // The attacker's code is rejected even with the victim's state.
        let page = victim.start(&server, "intent=login").await;
        let state = page
            .query_pairs()
            .find(|(name, _)| name == "state")
            .unwrap()
            .1;
        let mixed = with(&path, "state", |_| Some(state.clone().into_owned()));
        leads_back(&victim.open(&server, &mixed).await, FAILED);
        let mut forged = Browser::new();
        for cookie in ["", "x", "e30.e30.e30", "a.b.c"] {
            forged.cookie = Some(cookie.to_owned());
            leads_back(&forged.open(&server, &path).await, FAILED);
        }
        assert!(!has_account(&server, EMAIL).await);
        // The code still works in its own browser, which has the verifier.
        handoff(&browser.open(&server, &path).await);
    });
}

#[apply(each_database!)]
fn a_callback_works_once(backend: Backend) {
    with_server_options(backend, &provider::options(), async |server| {
        let (mut browser, path) = back(&server).await;
        let cookie = browser.cookie.clone();
        handoff(&browser.open(&server, &path).await);
        // Neither with the cookie of the handoff nor with the one before.
        let handed = browser.cookie.clone();
        assert_ne!(handed, cookie);
        leads_back(&browser.open(&server, &path).await, FAILED);
        browser.cookie = cookie;
        leads_back(&browser.open(&server, &path).await, FAILED);
    });
}

#[apply(each_database!)]
fn who_takes_longer_than_ten_minutes_begins_again(backend: Backend) {
    with_server_options(backend, &provider::options(), async |server| {
        let (mut browser, path) = back(&server).await;
        server.clock.advance_seconds(10 * 60);
        leads_back(&browser.open(&server, &path).await, FAILED);
        assert!(!has_account(&server, EMAIL).await);
    });
}

#[apply(each_database!)]
fn who_cancels_there_is_led_back(backend: Backend) {
    with_server_options(backend, &provider::options(), async |server| {
        let mut browser = Browser::new();
        let page = browser.start(&server, "intent=signup").await;
        let path = browser.visit(page, None).await;
        assert!(path.contains("error=access_denied"), "{path}");
        let answer = browser.open(&server, &path).await;
        leads_back(&answer, "/signup?problem=google_failed");
    });
}

#[apply(each_database!)]
fn beginning_and_ending_count_as_tries_to_sign_in(backend: Backend) {
    let mut options = provider::options();
    options.extend(["--logins-per-minute", "2"]);
    with_server_options(backend, &options, async |server| {
        let (mut browser, path) = back(&server).await;
        let cookie = browser.cookie.clone();
        handoff(&browser.open(&server, &path).await);
        let start = server.get("/api/v1/auth/google/start?intent=login").await;
        start.is_problem(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
        browser.cookie = cookie;
        leads_back(&browser.open(&server, &path).await, FAILED);
    });
}
