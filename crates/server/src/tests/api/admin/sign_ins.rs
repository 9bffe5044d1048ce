//! The list of sign-ins, for administrators only.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::testing::{
    Backend, PASSWORD, TestServer, TestUser, apply, each_database, with_server, with_server_options,
};

const PATH: &str = "/api/v1/admin/sign-ins";

async fn list(server: &TestServer, who: &TestUser, query: &str) -> Value {
    let answer = server.get_as(who, &format!("{PATH}{query}")).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    assert!(!answer.text().contains("Horse"), "{}", answer.text());
    answer.json()
}

/// Outcome, e-mail address and number of each.
fn summary(page: &Value) -> Vec<(String, String, i64)> {
    let items = page["items"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    items
        .map(|entry| {
            (
                text(&entry["outcome"]),
                text(&entry["email"]),
                entry["times"].as_i64().unwrap(),
            )
        })
        .collect()
}

#[apply(each_database!)]
fn only_administrators_see_sign_ins_and_failures(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let olha = server.signup("olha@example.com").await;
        server.clock.advance_seconds(60);
        for password in ["Wrong-Horse-77", "Wrong-Horse-78"] {
            let refused = server.login("olha@example.com", password).await;
            refused.is_problem(StatusCode::UNAUTHORIZED, "invalid_credentials");
        }
        let refused = server.login("nobody@example.com", "Wrong-Horse-77").await;
        refused.is_problem(StatusCode::UNAUTHORIZED, "invalid_credentials");
        server.clock.advance_seconds(1);
        let login = server.login("olha@example.com", PASSWORD).await;
        assert_eq!(login.status, StatusCode::OK);

        let all = list(&server, &admin, "").await;
        let row = |outcome: &str, email: &str, times| (outcome.to_owned(), email.to_owned(), times);
        let mut rows = summary(&all);
        assert_eq!(rows.remove(0), row("signed_in", "olha@example.com", 1));
        rows.sort();
        assert_eq!(
            rows,
            [
                row("signed_in", "admin@example.com", 1),
                row("signed_in", "olha@example.com", 1),
                row("unknown_address", "nobody@example.com", 1),
                row("wrong_password", "olha@example.com", 2),
            ]
        );
        let newest = &all["items"][0];
        assert_eq!(newest["method"], "password");
        assert_eq!(newest["account_id"], olha.user_id);
        assert!(!newest["address"].as_str().unwrap().is_empty());
        assert_eq!(
            all["counts"][0],
            json!({"outcome": "signed_in", "times": 3})
        );

        let wrong = list(&server, &admin, "?search=OLHA&outcome=wrong_password").await;
        assert_eq!(
            summary(&wrong),
            [row("wrong_password", "olha@example.com", 2)]
        );
        let strange = server.get_as(&admin, &format!("{PATH}?outcome=x")).await;
        strange.is_problem(StatusCode::BAD_REQUEST, "malformed_query");
        let refused = server.get_as(&olha, PATH).await;
        refused.is_problem(StatusCode::FORBIDDEN, "forbidden");
    });
}

#[apply(each_database!)]
fn wrong_sign_up_codes_are_listed_without_the_code(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let registered = server.register("olha@example.com").await;
        let right = server.last_mail("olha@example.com").await.code();
        let last = if right.ends_with('A') { 'B' } else { 'A' };
        let wrong = format!("{}{last}", &right[..4]);
        server.clock.advance_seconds(60);
        for _ in 0..2 {
            let refused = server.verify(&registered, &wrong).await;
            refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "invalid_code");
        }
        // A text that cannot be a code is not logged.
        server.verify(&registered, "A").await;
        let failed = list(&server, &admin, "?outcome=wrong_code").await;
        let expected = ("wrong_code".to_owned(), "olha@example.com".to_owned(), 2);
        assert_eq!(summary(&failed), [expected]);
        assert_eq!(failed["items"][0]["method"], "code");
        assert_eq!(failed["items"][0]["account_id"], Value::Null);
        let text = failed.to_string();
        assert!(!text.contains(&wrong) && !text.contains(&right), "{text}");
    });
}

#[apply(each_database!)]
fn password_guessing_does_not_fill_the_sign_in_log(backend: Backend) {
    let options = ["--logins-per-minute", "5"];
    with_server_options(backend, &options, async |server| {
        let admin = server.signup("admin@example.com").await;
        server.clock.advance_seconds(120);
        for i in 0..20 {
            let email = format!("guess{i}@example.com");
            server.login(&email, "Wrong-Horse-77").await;
        }
        let all = list(&server, &admin, "").await;
        let failures: Vec<_> = summary(&all)
            .into_iter()
            .filter(|(outcome, ..)| outcome != "signed_in")
            .collect();
        assert_eq!(failures.len(), 2, "{failures:?}");
        assert!(failures.contains(&("unknown_address".to_owned(), String::new(), 5)));
        assert!(failures.iter().any(|(outcome, ..)| outcome == "limited"));
    });
}
