use axum::http::StatusCode;
use serde_json::json;

use crate::testing::{
    Answer, Backend, PASSWORD, TestServer, TestUser, apply, assert_answer, each_database,
    with_server,
};

const EMAIL: &str = "a@example.com";

async fn code(server: &TestServer) -> String {
    server.last_mail(EMAIL).await.code()
}

/// A code that is not this one.
fn wrong_code(code: &str) -> String {
    let last = if code.ends_with('A') { 'B' } else { 'A' };
    format!("{}{last}", &code[..4])
}

fn assert_gone(answer: &Answer, code: &str) {
    answer.is_problem(StatusCode::GONE, code);
}

#[apply(each_database!)]
fn the_code_creates_the_account_and_signs_in(backend: Backend) {
    with_server(backend, async |server| {
        let sign_up = server.register(" Olha@Example.COM ").await;
        let code = server.last_mail("olha@example.com").await.code();
        let typed = format!(" {} ", code.to_lowercase());
        let answer = server.verify(&sign_up, &typed).await;
        assert_answer!("verify_first", answer);
        let signed = TestUser::from(&answer.json());
        assert_eq!(server.me(&signed).await.json(), answer.json()["user"]);
        let second = server.signup("second@example.com").await;
        assert_eq!(server.me(&second).await.json()["role"], "user");
        let again = server.verify(&sign_up, &code).await;
        assert_gone(&again, "registration_superseded");
        server.clock.advance_seconds(24 * 60 * 60);
        assert_gone(
            &server.verify(&sign_up, &code).await,
            "registration_expired",
        );
    });
}

#[apply(each_database!)]
fn only_one_of_simultaneous_first_accounts_is_administrator(backend: Backend) {
    with_server(backend, async |server| {
        let mut waiting = Vec::new();
        for i in 0..6 {
            let email = format!("u{i}@example.com");
            let sign_up = server.register(&email).await;
            waiting.push((sign_up, server.last_mail(&email).await.code()));
        }
        let attempts = waiting
            .iter()
            .map(|(sign_up, code)| server.verify(sign_up, code));
        let mut administrators = 0;
        for answer in futures_util::future::join_all(attempts).await {
            assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
            administrators += usize::from(answer.json()["user"]["role"] == "admin");
        }
        assert_eq!(administrators, 1);
    });
}

#[apply(each_database!)]
fn five_wrong_codes_invalidate_a_code_until_another_is_sent(backend: Backend) {
    with_server(backend, async |server| {
        let sign_up = server.register(EMAIL).await;
        let right = code(&server).await;
        for _ in 0..5 {
            let wrong = server.verify(&sign_up, &wrong_code(&right)).await;
            assert_answer!("verify_wrong", wrong);
        }
        assert_gone(&server.verify(&sign_up, &right).await, "code_expired");
        server.clock.advance_seconds(60);
        let form = json!({"registration": sign_up["registration"]});
        server.post("/api/v1/auth/verify/resend", &form).await;
        let answer = server.verify(&sign_up, &code(&server).await).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
    });
}

#[apply(each_database!)]
fn simultaneous_attempts_are_counted(backend: Backend) {
    with_server(backend, async |server| {
        let sign_up = server.register(EMAIL).await;
        let wrong = wrong_code(&code(&server).await);
        let attempts = (0..12).map(|_| server.verify(&sign_up, &wrong));
        let answers = futures_util::future::join_all(attempts).await;
        let compared = answers
            .iter()
            .filter(|answer| answer.code() == "invalid_code");
        assert_eq!(compared.count(), 5);
    });
}

#[apply(each_database!)]
fn a_code_expires_after_fifteen_minutes_and_a_sign_up_after_a_day(backend: Backend) {
    with_server(backend, async |server| {
        let sign_up = server.register(EMAIL).await;
        let right = code(&server).await;
        server.clock.advance_seconds(15 * 60);
        assert_gone(&server.verify(&sign_up, &right).await, "code_expired");
        server.clock.advance_seconds(24 * 60 * 60);
        assert_gone(
            &server.verify(&sign_up, &right).await,
            "registration_expired",
        );
    });
}

#[apply(each_database!)]
fn malformed_codes_do_not_count_as_attempts(backend: Backend) {
    with_server(backend, async |server| {
        let sign_up = server.register(EMAIL).await;
        let long = "A".repeat(100_000);
        for junk in ["", "A", "ABCDEF", "💥💥", "' OR 1=1 --", &long] {
            let answer = server.verify(&sign_up, junk).await;
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "invalid_code");
        }
        let answer = server.verify(&sign_up, &code(&server).await).await;
        assert_eq!(answer.status, StatusCode::CREATED);
    });
}

#[apply(each_database!)]
fn codes_of_two_sign_ups_with_one_address_are_not_interchangeable(backend: Backend) {
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
        assert_gone(&late, "registration_superseded");
        assert_eq!(server.login(EMAIL, PASSWORD).await.status, StatusCode::OK);
        let refused = server.login(EMAIL, "Stranger-Danger-1").await;
        refused.is_problem(StatusCode::UNAUTHORIZED, "invalid_credentials");
    });
}

#[apply(each_database!)]
fn guessed_registrations_are_refused(backend: Backend) {
    with_server(backend, async |server| {
        let sign_up = server.register(EMAIL).await;
        let right = code(&server).await;
        let token = sign_up["registration"].as_str().unwrap();
        for guess in ["", "x", &token[1..], &token.to_uppercase(), "%"] {
            let answer = server.verify(&json!({"registration": guess}), &right).await;
            assert_gone(&answer, "registration_expired");
        }
    });
}
