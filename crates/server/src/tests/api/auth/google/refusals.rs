//! Callbacks that do not complete a sign-in of this browser.

use axum::http::StatusCode;
use serde_json::json;

use super::browser::{Browser, assert_redirect, handoff};
use super::people::has_account;
use super::provider::{self, account};
use crate::testing::{Backend, TestServer, apply, each_database, with_server_options};

const FAILED: &str = "/login?problem=google_failed";
const EMAIL: &str = "refused@example.com";

/// A browser back from the provider, and its callback path.
async fn back_from_provider(server: &TestServer) -> (Browser, String) {
    account(json!({"sub": "refused", "email": EMAIL, "email_verified": true})).await;
    let mut browser = Browser::new();
    let page = browser.start(server, "intent=login").await;
    let path = browser.visit(page, Some("refused")).await;
    (browser, path)
}

/// The path with a changed parameter, or without it.
fn with_parameter(path: &str, name: &str, change: impl Fn(&str) -> Option<String>) -> String {
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
fn tampered_callback_parameters_are_rejected(backend: Backend) {
    with_server_options(backend, &provider::options(), async |server| {
        let (mut browser, path) = back_from_provider(&server).await;
        let cookie = browser.cookie.clone();
        for tampered in [
            with_parameter(&path, "state", |state| Some(format!("{state}x"))),
            with_parameter(&path, "state", |state| Some(state.to_lowercase())),
            with_parameter(&path, "state", |_| Some(String::new())),
            with_parameter(&path, "state", |_| None),
            with_parameter(&path, "code", |_| None),
            with_parameter(&path, "code", |_| Some(String::new())),
            with_parameter(&path, "code", |_| Some("%00%FF'--".to_owned())),
            format!("{path}&state=x"),
            format!("{path}&code=x"),
            format!("{path}&error=access_denied"),
            "/api/v1/auth/google/callback".to_owned(),
            "/api/v1/auth/google/callback?%FF=%FF&&=".to_owned(),
        ] {
            browser.cookie.clone_from(&cookie);
            let answer = browser.open(&server, &tampered).await;
            assert_redirect(&answer, FAILED);
        }
        assert!(!has_account(&server, EMAIL).await);
        // None of these attempts has used the code.
        browser.cookie = cookie;
        handoff(&browser.open(&server, &path).await);
    });
}

#[apply(each_database!)]
fn a_callback_is_rejected_in_another_browser(backend: Backend) {
    with_server_options(backend, &provider::options(), async |server| {
        let (mut browser, path) = back_from_provider(&server).await;
        assert_redirect(&Browser::new().open(&server, &path).await, FAILED);
        let mut victim = Browser::new();
        victim.start(&server, "intent=signup").await;
        let answer = victim.open(&server, &path).await;
        assert_redirect(&answer, "/signup?problem=google_failed");
        // The attacker's code is rejected even with the victim's state.
        let page = victim.start(&server, "intent=login").await;
        let state = page
            .query_pairs()
            .find(|(name, _)| name == "state")
            .unwrap()
            .1;
        let mixed = with_parameter(&path, "state", |_| Some(state.clone().into_owned()));
        assert_redirect(&victim.open(&server, &mixed).await, FAILED);
        let mut forged = Browser::new();
        for cookie in ["", "x", "e30.e30.e30", "a.b.c"] {
            forged.cookie = Some(cookie.to_owned());
            assert_redirect(&forged.open(&server, &path).await, FAILED);
        }
        assert!(!has_account(&server, EMAIL).await);
        // The code still works in its own browser, which has the verifier.
        handoff(&browser.open(&server, &path).await);
    });
}

#[apply(each_database!)]
fn a_callback_works_once(backend: Backend) {
    with_server_options(backend, &provider::options(), async |server| {
        let (mut browser, path) = back_from_provider(&server).await;
        let cookie = browser.cookie.clone();
        handoff(&browser.open(&server, &path).await);
        // Neither with the cookie of the handoff nor with the one before.
        let handed = browser.cookie.clone();
        assert_ne!(handed, cookie);
        assert_redirect(&browser.open(&server, &path).await, FAILED);
        browser.cookie = cookie;
        assert_redirect(&browser.open(&server, &path).await, FAILED);
    });
}

#[apply(each_database!)]
fn a_sign_in_expires_after_ten_minutes(backend: Backend) {
    with_server_options(backend, &provider::options(), async |server| {
        let (mut browser, path) = back_from_provider(&server).await;
        server.clock.advance_seconds(10 * 60);
        assert_redirect(&browser.open(&server, &path).await, FAILED);
        assert!(!has_account(&server, EMAIL).await);
    });
}

#[apply(each_database!)]
fn cancelling_at_the_provider_redirects_back(backend: Backend) {
    with_server_options(backend, &provider::options(), async |server| {
        let mut browser = Browser::new();
        let page = browser.start(&server, "intent=signup").await;
        let path = browser.visit(page, None).await;
        assert!(path.contains("error=access_denied"), "{path}");
        let answer = browser.open(&server, &path).await;
        assert_redirect(&answer, "/signup?problem=google_failed");
    });
}

#[apply(each_database!)]
fn starting_and_completing_count_as_sign_in_attempts(backend: Backend) {
    let mut options = provider::options();
    options.extend(["--logins-per-minute", "2"]);
    with_server_options(backend, &options, async |server| {
        let (mut browser, path) = back_from_provider(&server).await;
        let cookie = browser.cookie.clone();
        handoff(&browser.open(&server, &path).await);
        let start = server.get("/api/v1/auth/google/start?intent=login").await;
        start.is_problem(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
        browser.cookie = cookie;
        assert_redirect(&browser.open(&server, &path).await, FAILED);
    });
}
