use axum::http::StatusCode;
use serde_json::json;

use crate::testing::{
    Backend, PASSWORD, TestServer, apply, assert_answer, each_database, signup_form, with_server,
    with_server_options,
};

const PATH: &str = "/api/v1/auth/signup";

async fn has_account(server: &TestServer, email: &str) -> bool {
    let mut connection = server.state.db.read().await.unwrap();
    slovo_db::accounts::get_by_email(&mut connection, email)
        .await
        .unwrap()
        .is_some()
}

#[apply(each_database!)]
fn a_sign_up_creates_no_account_before_its_code(backend: Backend) {
    with_server(backend, async |server| {
        let answer = server.post(PATH, &signup_form(" Olha@Example.COM ")).await;
        assert_answer!("signup", answer);
        assert!(!has_account(&server, "olha@example.com").await);
        let mail = server.last_mail("olha@example.com").await;
        assert!(
            !answer.text().contains(&mail.code()),
            "the code is only mailed"
        );
    });
}

#[apply(each_database!)]
fn a_taken_address_is_reported_and_an_unconfirmed_one_is_free(backend: Backend) {
    with_server(backend, async |server| {
        server.register("a@example.com").await;
        server.signup("a@example.com").await;
        let form = signup_form("A@example.com");
        assert_answer!("signup_taken", server.post(PATH, &form).await);
    });
}

#[apply(each_database!)]
fn the_mail_is_in_the_language_of_the_form(backend: Backend) {
    with_server(backend, async |server| {
        let mut form = signup_form("a@example.com");
        form["locale"] = json!("en");
        server.post(PATH, &form).await;
        server.register("b@example.com").await;
        let english = server.last_mail("a@example.com").await;
        let ukrainian = server.last_mail("b@example.com").await;
        assert_eq!(english.locale.as_str(), "en");
        assert_eq!(ukrainian.locale.as_str(), "uk");
        assert_ne!(english.subject, ukrainian.subject);
    });
}

#[apply(each_database!)]
fn every_broken_rule_is_reported(backend: Backend) {
    with_server(backend, async |server| {
        let nothing = server.post(PATH, &json!({})).await;
        assert_answer!("signup_nothing", nothing);
        let mut mismatch = signup_form("a@example.com");
        mismatch["confirm_password"] = json!("Correct-Horse-8");
        mismatch["terms"] = json!(false);
        assert_answer!("signup_mismatch", server.post(PATH, &mismatch).await);
        assert!(server.mails().await.is_empty());
    });
}

#[apply(each_database!)]
fn a_password_that_is_easily_guessed_is_refused(backend: Backend) {
    with_server(backend, async |server| {
        for weak in ["Password123!", "Olha.Shevchuk2"] {
            let mut form = signup_form("olha.shevchuk@example.com");
            form["password"] = json!(weak);
            form["confirm_password"] = json!(weak);
            let answer = server.post(PATH, &form).await;
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
            assert_eq!(
                answer.json()["errors"][0]["code"],
                "password_weak",
                "{weak}"
            );
        }
        assert!(server.mails().await.is_empty());
    });
}

#[apply(each_database!)]
fn invalid_addresses_are_refused_and_unusual_ones_are_accepted(backend: Backend) {
    with_server_options(backend, &["--signups-per-hour", "1000"], async |server| {
        let long = format!("{}@example.com", "a".repeat(300));
        for invalid in [
            "plain",
            "a@b",
            "a b@example.com",
            "'; drop table@example.com",
            "@example.com",
            "a@",
            "a@example.com\nx: y",
            &long,
        ] {
            let answer = server.post(PATH, &signup_form(invalid)).await;
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        }
        for unusual in [
            "'; drop_table@example.com",
            "o'brien@example.com",
            "robert'--@example.com",
            "%_@example.com",
        ] {
            let answer = server.post(PATH, &signup_form(unusual)).await;
            if unusual.contains(' ') {
                answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
                continue;
            }
            assert_eq!(answer.json()["email"], *unusual);
            server.signup(unusual).await;
            assert_eq!(server.login(unusual, PASSWORD).await.status, StatusCode::OK);
        }
        assert!(has_account(&server, "o'brien@example.com").await);
    });
}

#[apply(each_database!)]
fn sign_ups_from_one_network_address_are_limited(backend: Backend) {
    with_server_options(backend, &["--signups-per-hour", "2"], async |server| {
        server.signup("a@example.com").await;
        // Invalid forms do not count.
        server.post(PATH, &json!({})).await;
        server.signup("b@example.com").await;
        let refused = server.post(PATH, &signup_form("c@example.com")).await;
        assert_answer!("signup_limited", refused);
        let wait = refused.header("retry-after").parse().unwrap();
        server.clock.advance_seconds(wait);
        server.signup("c@example.com").await;
    });
}

#[apply(each_database!)]
fn sign_up_mails_to_one_address_are_limited(backend: Backend) {
    let options = ["--signups-per-hour", "1000", "--mails-per-hour", "3"];
    with_server_options(backend, &options, async |server| {
        for _ in 0..3 {
            server.register("victim@example.com").await;
        }
        let refused = server.post(PATH, &signup_form("victim@example.com")).await;
        refused.is_problem(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
        assert_eq!(server.mails().await.len(), 3);
        server.register("other@example.com").await;
        // The owner's network has a limit of its own; all networks together have one, too.
        let form = signup_form("victim@example.com");
        let mut sent = 3;
        for network in 0..10 {
            let peer = format!("198.51.{network}.1");
            for _ in 0..3 {
                let answer = server.post_from(&peer, PATH, &form).await;
                sent += usize::from(answer.status == StatusCode::CREATED);
            }
        }
        assert_eq!(sent, 15);
    });
}

#[apply(each_database!)]
fn the_password_is_stored_as_a_hash_only(backend: Backend) {
    with_server(backend, async |server| {
        server.signup("a@example.com").await;
        let mut connection = server.state.db.read().await.unwrap();
        let stored = slovo_db::accounts::credentials(&mut connection, "a@example.com").await;
        let hash = stored.unwrap().unwrap().password_hash.unwrap();
        assert!(
            hash.starts_with("$argon2id$") && !hash.contains(PASSWORD),
            "{hash}"
        );
    });
}
