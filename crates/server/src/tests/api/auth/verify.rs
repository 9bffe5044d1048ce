use axum::http::StatusCode;
use serde_json::json;

use crate::testing::{
    Answer, Backend, PASSWORD, Signed, TestServer, apply, assert_answer, each_database, with_server,
};

const EMAIL: &str = "a@example.com";

async fn code(server: &TestServer) -> String {
    server.last_mail(EMAIL).await.code()
}

/// A code that is not this one.
fn other(code: &str) -> String {
    let last = if code.ends_with('A') { 'B' } else { 'A' };
    format!("{}{last}", &code[..4])
}

fn is_gone(answer: &Answer, code: &str) {
    answer.is_problem(StatusCode::GONE, code);
}

#[apply(each_database!)]
fn the_code_makes_the_account_and_signs_in(backend: Backend) {
    with_server(backend, async |server| {
        let begun = server.register(" Olha@Example.COM ").await;
        let code = server.last_mail("olha@example.com").await.code();
        let typed = format!(" {} ", code.to_lowercase());
        let answer = server.verify(&begun, &typed).await;
        assert_answer!("verify_first", answer);
        let signed = Signed::from(&answer.json());
        assert_eq!(server.me(&signed).await.json(), answer.json()["user"]);
        let second = server.signup("second@example.com").await;
        assert_eq!(server.me(&second).await.json()["role"], "user");
        let again = server.verify(&begun, &code).await;
        is_gone(&again, "registration_superseded");
        server.clock.advance_seconds(24 * 60 * 60);
        is_gone(&server.verify(&begun, &code).await, "registration_expired");
    });
}

#[apply(each_database!)]
fn of_many_first_accounts_at_the_same_moment_one_administers(backend: Backend) {
    with_server(backend, async |server| {
        let mut waiting = Vec::new();
        for i in 0..6 {
            let email = format!("u{i}@example.com");
            let begun = server.register(&email).await;
            waiting.push((begun, server.last_mail(&email).await.code()));
        }
        let tries = waiting
            .iter()
            .map(|(begun, code)| server.verify(begun, code));
        let mut administrators = 0;
        for answer in futures_util::future::join_all(tries).await {
            assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
            administrators += usize::from(answer.json()["user"]["role"] == "admin");
        }
        assert_eq!(administrators, 1);
    });
}

#[apply(each_database!)]
fn five_wrong_codes_end_its_use_and_another_one_helps(backend: Backend) {
    with_server(backend, async |server| {
        let begun = server.register(EMAIL).await;
        let right = code(&server).await;
        for _ in 0..5 {
            let wrong = server.verify(&begun, &other(&right)).await;
            assert_answer!("verify_wrong", wrong);
        }
        is_gone(&server.verify(&begun, &right).await, "code_expired");
        server.clock.advance_seconds(60);
        let form = json!({"registration": begun["registration"]});
        server.post("/api/v1/auth/verify/resend", &form).await;
        let answer = server.verify(&begun, &code(&server).await).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
    });
}

#[apply(each_database!)]
fn tries_at_the_same_moment_are_counted_as_well(backend: Backend) {
    with_server(backend, async |server| {
        let begun = server.register(EMAIL).await;
        let wrong = other(&code(&server).await);
        let tries = (0..12).map(|_| server.verify(&begun, &wrong));
        let answers = futures_util::future::join_all(tries).await;
        let compared = answers
            .iter()
            .filter(|answer| answer.code() == "invalid_code");
        assert_eq!(compared.count(), 5);
    });
}

#[apply(each_database!)]
fn a_code_is_good_for_a_quarter_of_an_hour_and_a_sign_up_for_a_day(backend: Backend) {
    with_server(backend, async |server| {
        let begun = server.register(EMAIL).await;
        let right = code(&server).await;
        server.clock.advance_seconds(15 * 60);
        is_gone(&server.verify(&begun, &right).await, "code_expired");
        server.clock.advance_seconds(24 * 60 * 60);
        is_gone(&server.verify(&begun, &right).await, "registration_expired");
    });
}

#[apply(each_database!)]
fn what_cannot_be_a_code_costs_no_try(backend: Backend) {
    with_server(backend, async |server| {
        let begun = server.register(EMAIL).await;
        let long = "A".repeat(100_000);
        for junk in ["", "A", "ABCDEF", "💥💥", "' OR 1=1 --", &long] {
            let answer = server.verify(&begun, junk).await;
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "invalid_code");
        }
        let answer = server.verify(&begun, &code(&server).await).await;
        assert_eq!(answer.status, StatusCode::CREATED);
    });
}

#[apply(each_database!)]
fn a_code_mailed_for_a_stranger_s_attempt_does_not_help_the_stranger(backend: Backend) {
    with_server(backend, async |server| {
        // The owner signs up, then a stranger with another password.
        let owner = server.register(EMAIL).await;
        let owners_code = code(&server).await;
        let mut form = crate::testing::signup_form(EMAIL);
        form["password"] = json!("Stranger-Danger-1");
        form["confirm_password"] = form["password"].clone();
        let stranger = server.post("/api/v1/auth/signup", &form).await.json();
        let strangers_code = code(&server).await;

        // The owner types the newer code: it is not for this browser's attempt.
        let mixed = server.verify(&owner, &strangers_code).await;
        mixed.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "invalid_code");
        let answer = server.verify(&owner, &owners_code).await;
        assert_eq!(answer.status, StatusCode::CREATED);
        let late = server.verify(&stranger, &strangers_code).await;
        is_gone(&late, "registration_superseded");
        assert_eq!(server.login(EMAIL, PASSWORD).await.status, StatusCode::OK);
        let refused = server.login(EMAIL, "Stranger-Danger-1").await;
        refused.is_problem(StatusCode::UNAUTHORIZED, "invalid_credentials");
    });
}

#[apply(each_database!)]
fn guessed_registrations_are_none(backend: Backend) {
    with_server(backend, async |server| {
        let begun = server.register(EMAIL).await;
        let right = code(&server).await;
        let token = begun["registration"].as_str().unwrap();
        for guess in ["", "x", &token[1..], &token.to_uppercase(), "%"] {
            let answer = server.verify(&json!({"registration": guess}), &right).await;
            is_gone(&answer, "registration_expired");
        }
    });
}
