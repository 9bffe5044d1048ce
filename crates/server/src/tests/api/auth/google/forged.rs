//! Forged answers of a provider are rejected.

use serde_json::{Value, json};

use super::browser::{Browser, assert_redirect, handoff};
use super::forger::{Answer, Forger, Signature, claims};
use super::people::has_account;
use super::provider::{CLIENT_ID, options_for};
use crate::testing::{self, Backend, TestServer, apply, each_database, with_server_options};

const FAILED: &str = "/login?problem=google_failed";
const EMAIL: &str = "forged@example.com";

/// What is wrong with an ID token, how its claims are changed, and how it is signed.
type Forgery = (&'static str, fn(&mut Value), Signature);

/// The library does these checks; the tests show that they are enabled.
const FORGERIES: [Forgery; 15] = {
    use Signature::{ClientSecret, None, OtherKey, Right, UnknownKey};
    [
        ("another nonce", |c| c["nonce"] = json!("x"), Right),
        ("no nonce", |c| remove(c, "nonce"), Right),
        (
            "another issuer",
            |c| c["iss"] = json!("http://x.example"),
            Right,
        ),
        ("no issuer", |c| remove(c, "iss"), Right),
        ("another audience", |c| c["aud"] = json!("x"), Right),
        (
            "more audiences",
            |c| c["aud"] = json!([CLIENT_ID, "x"]),
            Right,
        ),
        ("no audience", |c| remove(c, "aud"), Right),
        ("expired", |c| c["exp"] = c["iat"].clone(), Right),
        ("no expiry", |c| remove(c, "exp"), Right),
        ("no subject", |c| remove(c, "sub"), Right),
        (
            "too long a subject",
            |c| c["sub"] = json!("7".repeat(256)),
            Right,
        ),
        ("another key", |_| {}, OtherKey),
        ("an unknown key", |_| {}, UnknownKey),
        ("a key that the client knows", |_| {}, ClientSecret),
        ("no signature", |_| {}, None),
    ]
};

fn remove(claims: &mut Value, name: &str) {
    claims.as_object_mut().unwrap().remove(name);
}

/// Signs in at the forger, which sends the result of `answer` for the valid claims.
async fn sign_in(
    server: &TestServer,
    forger: &Forger,
    answer: impl FnOnce(Value) -> Answer,
) -> (Browser, testing::Answer) {
    let mut browser = Browser::new();
    let page = browser.start(server, "intent=login").await;
    let parameter = |name: &str| {
        let mut pairs = page.query_pairs().into_owned();
        pairs.find(|(key, _)| key == name).unwrap().1
    };
    let now = server.state.clock.now().as_second();
    let answer = answer(claims(forger, &parameter("nonce"), now));
    forger.behave(|manner| manner.answer = answer);
    let path = format!(
        "/api/v1/auth/google/callback?code=x&state={}",
        parameter("state")
    );
    let answer = browser.open(server, &path).await;
    (browser, answer)
}

#[apply(each_database!)]
fn forged_id_tokens_are_rejected(backend: Backend) {
    let forger = Forger::start();
    let mut options = options_for(&forger.issuer);
    options.extend(["--logins-per-minute", "1000"]);
    with_server_options(backend, &options, async |server| {
        for (forgery, change, signature) in FORGERIES {
            let (_, answer) = sign_in(&server, &forger, |mut claims| {
                change(&mut claims);
                Answer::Token(claims, signature)
            })
            .await;
            println!("{forgery}");
            assert_redirect(&answer, FAILED);
            assert!(!has_account(&server, EMAIL).await, "{forgery}");
        }
        // The unchanged claims are accepted.
        let right = |claims| Answer::Token(claims, Signature::Right);
        let (mut browser, answer) = sign_in(&server, &forger, right).await;
        let session = browser.session(&server, &handoff(&answer)).await.json();
        assert_eq!(session["user"]["email"], EMAIL);
    });
}

#[apply(each_database!)]
fn invalid_provider_answers_are_rejected(backend: Backend) {
    let forger = Forger::start();
    with_server_options(backend, &options_for(&forger.issuer), async |server| {
        for text in [
            "<html>",
            r#"{"error": "invalid_grant"}"#,
            r#"{"access_token": "x", "token_type": "Bearer"}"#,
            r#"{"access_token": "x", "token_type": "Bearer", "id_token": "a.b.c"}"#,
        ] {
            let text = text.to_owned();
            let (_, answer) = sign_in(&server, &forger, |_| Answer::Text(text)).await;
            assert_redirect(&answer, FAILED);
        }
        for status in [200, 401, 500] {
            let (_, answer) = sign_in(&server, &forger, |_| Answer::Status(status)).await;
            assert_redirect(&answer, FAILED);
        }
        for out_of_bounds in [Answer::Huge, Answer::Redirect] {
            let (_, answer) = sign_in(&server, &forger, out_of_bounds).await;
            assert_redirect(&answer, FAILED);
        }
        let (_, answer) = sign_in(&server, &forger, |mut claims| {
            claims["email_verified"] = json!("true");
            Answer::Token(claims, Signature::Right)
        })
        .await;
        assert_redirect(&answer, FAILED);
        assert!(!has_account(&server, EMAIL).await);
    });
}

#[apply(each_database!)]
fn a_new_key_of_the_provider_replaces_the_old_one(backend: Backend) {
    let forger = Forger::start();
    with_server_options(backend, &options_for(&forger.issuer), async |server| {
        for rotated in [false, true] {
            let right = |claims| Answer::Token(claims, Signature::Right);
            forger.behave(|manner| manner.rotated = rotated);
            let (_, answer) = sign_in(&server, &forger, right).await;
            handoff(&answer);
        }
        // The old key is not accepted any more.
        let old = |claims| Answer::Token(claims, Signature::UnknownKey);
        let (_, answer) = sign_in(&server, &forger, old).await;
        assert_redirect(&answer, FAILED);
    });
}

#[apply(each_database!)]
fn an_unreachable_provider_is_tried_again_after_seconds(backend: Backend) {
    let start = "/api/v1/auth/google/start?intent=signup";
    let failed = "/signup?problem=google_failed";
    let forger = Forger::start();
    with_server_options(backend, &options_for(&forger.issuer), async |server| {
        let mut browser = Browser::new();
        forger.behave(|manner| manner.up = false);
        assert_redirect(&browser.open(&server, start).await, failed);
        forger.behave(|manner| manner.up = true);
        assert_redirect(&browser.open(&server, start).await, failed);
        server.clock.advance_seconds(5);
        browser.start(&server, "intent=signup").await;
        // The discovery document is cached for an hour.
        forger.behave(|manner| manner.up = false);
        browser.start(&server, "intent=signup").await;
        server.clock.advance_seconds(60 * 60);
        assert_redirect(&browser.open(&server, start).await, failed);
    });
    let issuer = "http://127.0.0.1:1";
    with_server_options(backend, &options_for(issuer), async |server| {
        assert_redirect(&Browser::new().open(&server, start).await, failed);
    });
}

#[apply(each_database!)]
fn a_provider_claiming_another_issuer_is_rejected(backend: Backend) {
    let forger = Forger::start();
    with_server_options(backend, &options_for(&forger.issuer), async |server| {
        forger.behave(|manner| manner.called = Some("https://accounts.google.com".to_owned()));
        let path = "/api/v1/auth/google/start?intent=login";
        assert_redirect(&Browser::new().open(&server, path).await, FAILED);
    });
}
