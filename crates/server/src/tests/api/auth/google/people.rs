//! Which account people get: a new one, a linked one, or their existing one.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use slovo_db::accounts::{self, NewAccount, registrations};

use super::browser::{Browser, assert_redirect, handoff};
use super::provider::{self, account};
use crate::testing::{
    Backend, TestServer, TestUser, apply, each_database, signup_form, with_server,
    with_server_options,
};
use crate::tests::api::me::support::send_json;

/// Inserts an account with a placeholder for the password's hash.
pub async fn insert(server: &TestServer, id: &str, email: &str) {
    let new = NewAccount {
        id,
        synced_user_id: id,
        email,
        password_hash: Some("$argon2id$"),
        created_at: server.state.clock.now_ms(),
    };
    let mut transaction = server.state.db.write().await.unwrap();
    accounts::insert(&mut transaction, &new).await.unwrap();
    transaction.commit().await.unwrap();
}

pub async fn has_account(server: &TestServer, email: &str) -> bool {
    let mut connection = server.state.db.read().await.unwrap();
    let found = accounts::get_by_email(&mut connection, email).await;
    found.unwrap().is_some()
}

#[apply(each_database!)]
fn new_users_get_accounts_and_the_first_is_administrator(backend: Backend) {
    with_server_options(backend, &provider::options(), async |server| {
        let options = server.get("/api/v1/auth/options").await;
        assert_eq!(
            options.json(),
            json!({"google": true, "provider": "127.0.0.1", "provider_is_google": false,
                "provider_mark": null, "sign_up": true, "mail": true, "chosen_plan": null})
        );
        account(
            json!({"sub": "new-1", "email": "Lesia@Example.com", "email_verified": true,
            "name": " Леся Українка "}),
        )
        .await;
        account(json!({"sub": "new-2", "email": "second@example.com", "email_verified": true}))
            .await;
        let first = Browser::new().sign_in(&server, "new-1").await;
        let user = &first["user"];
        assert_eq!(user["email"], "lesia@example.com");
        assert_eq!(user["fullname"], "Леся Українка");
        assert_eq!(user["locale"], "en");
        assert_eq!(user["has_password"], false);
        assert_eq!(user["role"], "admin");
        let second = Browser::new().sign_in(&server, "new-2").await;
        assert_eq!(second["user"]["role"], "user");
        assert_eq!(second["user"]["fullname"], Value::Null);
        let login = server.login("second@example.com", "").await;
        login.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        let login = server.login("second@example.com", "anything").await;
        login.is_problem(StatusCode::UNAUTHORIZED, "invalid_credentials");
    });
}

#[apply(each_database!)]
fn the_authorization_request_is_complete_and_its_cookie_is_restricted(backend: Backend) {
    with_server_options(backend, &provider::options(), async |server| {
        let mut browser = Browser::new();
        let page = browser.start(&server, "intent=signup&locale=uk").await;
        let parameters: std::collections::BTreeMap<_, _> =
            page.query_pairs().into_owned().collect();
        assert_eq!(parameters["scope"], "openid email profile");
        assert_eq!(parameters["response_type"], "code");
        assert_eq!(parameters["code_challenge_method"], "S256");
        assert_eq!(parameters["ui_locales"], "uk");
        assert!(parameters["state"].len() >= 43 && parameters["nonce"].len() >= 43);
        assert!(!parameters.contains_key("prompt"));
        let again = browser.start(&server, "intent=signup").await;
        for part in ["state", "nonce", "code_challenge"] {
            let other = again.query_pairs().find(|(name, _)| name == part).unwrap();
            assert_ne!(other.1, parameters[part], "{part}");
        }
        let path = "/api/v1/auth/google/start?intent=login";
        let answer = browser.open(&server, path).await;
        let cookie = answer.header("set-cookie");
        let flags = "; Path=/api/v1/auth/google; Max-Age=600; HttpOnly; SameSite=Lax";
        assert!(cookie.ends_with(flags), "{cookie}");
        assert_eq!(answer.header("cache-control"), "no-store");
        assert_eq!(answer.header("referrer-policy"), "no-referrer");
    });
}

#[apply(each_database!)]
fn over_https_the_cookie_is_secure(backend: Backend) {
    let mut options = provider::options();
    options.extend(["--public-url", "https://slovo.example.com"]);
    with_server_options(backend, &options, async |server| {
        let path = "/api/v1/auth/google/start?intent=login";
        let answer = Browser::new().open(&server, path).await;
        assert!(
            answer
                .header("set-cookie")
                .ends_with("; SameSite=Lax; Secure")
        );
        let page: reqwest::Url = answer.header("location").parse().unwrap();
        let redirect_uri = page
            .query_pairs()
            .find(|(name, _)| name == "redirect_uri")
            .unwrap()
            .1;
        assert_eq!(
            redirect_uri,
            "https://slovo.example.com/api/v1/auth/google/callback"
        );
    });
}

#[apply(each_database!)]
fn a_verified_address_links_its_account_and_then_the_subject_decides(backend: Backend) {
    with_server_options(backend, &provider::options(), async |server| {
        insert(&server, "u1", "linked@example.com").await;
        insert(&server, "u2", "other@example.com").await;
        let person = |email: &str, verified: bool| json!({"sub": "linked", "email": email, "email_verified": verified, "name": "Eve"});
        account(person("Linked@Example.com", true)).await;
        let session = Browser::new().sign_in(&server, "linked").await;
        assert_eq!(session["user"]["id"], "u1");
        assert_eq!(session["user"]["has_password"], true);
        assert_eq!(session["user"]["fullname"], Value::Null);
        // Once linked, a changed address at the provider has no effect.
        for (email, verified) in [("other@example.com", true), ("x@example.com", false)] {
            account(person(email, verified)).await;
            let session = Browser::new().sign_in(&server, "linked").await;
            assert_eq!(session["user"]["id"], "u1");
            assert_eq!(session["user"]["email"], "linked@example.com");
        }
    });
}

#[apply(each_database!)]
fn users_of_the_provider_accept_the_terms_once(backend: Backend) {
    with_server_options(backend, &provider::options(), async |server| {
        account(
            json!({"sub": "terms", "email": "terms@example.com", "email_verified": true,
            "name": "Оля"}),
        )
        .await;
        let session = Browser::new().sign_in(&server, "terms").await;
        assert_eq!(session["user"]["terms_accepted"], false);
        let me = TestUser::from(&session);
        let set = async |form: Value| {
            send_json(&server, &me, Method::PUT, "/api/v1/me/profile", &form).await
        };
        let refused = set(json!({"fullname": "Оля"})).await;
        refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        assert_eq!(refused.json()["errors"][0]["code"], "terms_required");
        let agreed = set(json!({"fullname": "Оля", "terms": true})).await;
        assert_eq!(agreed.json()["terms_accepted"], true);
        let later = set(json!({"fullname": "Ольга"})).await;
        assert_eq!(later.status, StatusCode::OK, "{}", later.text());
        let again = Browser::new().sign_in(&server, "terms").await;
        assert_eq!(again["user"]["terms_accepted"], true);
    });
}

#[apply(each_database!)]
fn the_chosen_plan_is_requested_only_for_a_new_account(backend: Backend) {
    with_server_options(backend, &provider::options(), async |server| {
        slovo_accounts::plans::first_plans::make(&server.state.plans())
            .await
            .unwrap();
        let plans = slovo_db::plans::list(&mut server.state.db.read().await.unwrap()).await;
        let plans = plans.unwrap();
        let id_of = |name: &str| plans.iter().find(|plan| plan.form.name == name).unwrap().id;
        account(json!({"sub": "plan", "email": "plan@example.com", "email_verified": true})).await;
        // The second sign-in finds an account: its owner requests plans in the app.
        for plan in ["Starter", "Enterprise"] {
            let mut browser = Browser::new();
            let query = format!("intent=signup&plan={}", id_of(plan));
            let answer = browser.arrive(&server, &query, "plan").await;
            let session = browser.session(&server, &handoff(&answer)).await;
            let me = TestUser::from(&session.json());
            let subscription = server.get_as(&me, "/api/v1/me/subscription").await.json();
            assert_eq!(
                json!([
                    subscription["request"]["plan_name"],
                    subscription["request"]["status"]
                ]),
                json!(["Starter", "open"])
            );
        }
        let path = "/api/v1/auth/google/start?intent=signup&plan=https://evil.example";
        let refused = server.get(path).await;
        refused.is_problem(StatusCode::BAD_REQUEST, "malformed_query");
    });
}

#[apply(each_database!)]
fn signing_in_at_the_provider_ends_a_pending_sign_up(backend: Backend) {
    with_server_options(backend, &provider::options(), async |server| {
        let form = signup_form("waiting@example.com");
        let answer = server.post("/api/v1/auth/signup", &form).await;
        assert_eq!(answer.status, StatusCode::CREATED);
        account(json!({"sub": "waiting", "email": "waiting@example.com", "email_verified": true}))
            .await;
        let session = Browser::new().sign_in(&server, "waiting").await;
        assert_eq!(session["user"]["has_password"], false);
        let mut connection = server.state.db.read().await.unwrap();
        let waiting = registrations::of_email(&mut connection, "waiting@example.com", "", 0).await;
        assert!(waiting.unwrap().is_none());
    });
}

#[apply(each_database!)]
fn unverified_and_invalid_addresses_are_refused(backend: Backend) {
    with_server_options(backend, &provider::options(), async |server| {
        insert(&server, "u1", "victim@example.com").await;
        for person in [
            json!({"sub": "un-1", "email": "victim@example.com", "email_verified": false}),
            json!({"sub": "un-2", "email": "victim@example.com"}),
            json!({"sub": "un-3", "email": "nobody@example.com", "email_verified": false}),
            json!({"sub": "un-4", "email_verified": true}),
            json!({"sub": "un-5", "email": "no address", "email_verified": true}),
        ] {
            let sub = person["sub"].as_str().unwrap().to_owned();
            account(person).await;
            let answer = Browser::new().arrive(&server, "intent=signup", &sub).await;
            assert_redirect(&answer, "/signup?problem=google_unverified");
        }
        assert!(!has_account(&server, "nobody@example.com").await);
    });
}

#[apply(each_database!)]
fn closed_sign_up_admits_only_existing_users(backend: Backend) {
    with_server_options(backend, &provider::options(), async |server| {
        account(json!({"sub": "cl-1", "email": "known@example.com", "email_verified": true})).await;
        account(json!({"sub": "cl-2", "email": "new@example.com", "email_verified": true})).await;
        Browser::new().sign_in(&server, "cl-1").await;
        let mut transaction = server.state.db.write().await.unwrap();
        let closed = json!({"sign_up": false});
        let stored =
            slovo_db::site::server_settings::set(&mut transaction, "switches", &closed, 0).await;
        stored.unwrap();
        transaction.commit().await.unwrap();
        server.state.settings.changed();
        let answer = Browser::new().arrive(&server, "intent=login", "cl-2").await;
        assert_redirect(&answer, "/login?problem=signup_closed");
        assert!(!has_account(&server, "new@example.com").await);
        let known = Browser::new().sign_in(&server, "cl-1").await;
        assert_eq!(known["user"]["email"], "known@example.com");
    });
}

#[apply(each_database!)]
fn simultaneous_first_sign_ins_create_one_account(backend: Backend) {
    with_server_options(backend, &provider::options(), async |server| {
        account(json!({"sub": "twice", "email": "twice@example.com", "email_verified": true}))
            .await;
        let (mut first_browser, mut second_browser) = (Browser::new(), Browser::new());
        let mut callbacks = Vec::new();
        for browser in [&mut first_browser, &mut second_browser] {
            let page = browser.start(&server, "intent=login").await;
            callbacks.push(browser.visit(page, Some("twice")).await);
        }
        let (first, second) = tokio::join!(
            first_browser.open(&server, &callbacks[0]),
            second_browser.open(&server, &callbacks[1])
        );
        let first = first_browser.session(&server, &handoff(&first)).await;
        let second = second_browser.session(&server, &handoff(&second)).await;
        let (first, second) = (
            TestUser::from(&first.json()),
            TestUser::from(&second.json()),
        );
        assert_eq!(first.user_id, second.user_id);
    });
}

#[apply(each_database!)]
fn without_a_provider_signing_in_with_one_is_refused(backend: Backend) {
    with_server(backend, async |server| {
        let options = server.get("/api/v1/auth/options").await;
        assert_eq!(
            options.json(),
            json!({"google": false, "provider": null, "provider_is_google": false,
                "provider_mark": null, "sign_up": true, "mail": true, "chosen_plan": null})
        );
        let start = server.get("/api/v1/auth/google/start?intent=login").await;
        start.is_problem(StatusCode::NOT_FOUND, "not_found");
        let callback = server
            .get("/api/v1/auth/google/callback?code=a&state=b")
            .await;
        assert_redirect(&callback, "/login?problem=google_failed");
    });
}
