use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::testing::{
    Answer, Backend, PASSWORD, TestServer, TestUser, apply, assert_answer, each_database,
    with_server, with_server_options,
};

const NEW: &str = "New-Horse-2026!";
const EMAIL: &str = "a@example.com";

async fn forgot(server: &TestServer, email: &str) -> Answer {
    let form = json!({"email": email, "locale": "en"});
    server.post("/api/v1/auth/password/forgot", &form).await
}

async fn reset(server: &TestServer, token: &str, password: &str) -> Answer {
    let form = json!({"token": token, "password": password, "confirm_password": password});
    server.post("/api/v1/auth/password/reset", &form).await
}

async fn change(server: &TestServer, who: &TestUser, current: &str, password: &str) -> Answer {
    let form = json!({
        "current_password": current, "password": password, "confirm_password": password,
    });
    let path = "/api/v1/auth/password/change";
    server.post_as(who, path, &form).await
}

async fn token(server: &TestServer) -> String {
    let link = server.last_mail_of_kind(EMAIL, "reset").await.link();
    let (page, token) = link.split_once("#token=").unwrap();
    assert!(page.ends_with("/reset-password"), "{link}");
    token.to_owned()
}

fn assert_signed_out(answer: &Answer) {
    answer.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
}

#[apply(each_database!)]
fn a_forgotten_password_is_reset_by_the_link(backend: Backend) {
    with_server(backend, async |server| {
        let signed = server.signup(EMAIL).await;
        let answer = forgot(&server, " A@Example.com").await;
        assert_eq!(
            (answer.status, answer.body.len()),
            (StatusCode::ACCEPTED, 0)
        );
        let token = token(&server).await;
        let answer = reset(&server, &token, NEW).await;
        assert_eq!(answer.status, StatusCode::NO_CONTENT, "{}", answer.text());

        assert_signed_out(&server.me(&signed).await);
        assert_eq!(server.login(EMAIL, NEW).await.status, StatusCode::OK);
        let old = server.login(EMAIL, PASSWORD).await;
        old.is_problem(StatusCode::UNAUTHORIZED, "invalid_credentials");
        assert_eq!(server.last_mail(EMAIL).await.kind, "password_changed");
        let again = reset(&server, &token, NEW).await;
        assert_answer!("reset_again", again);
    });
}

#[apply(each_database!)]
fn resetting_does_not_reveal_whether_an_account_exists(backend: Backend) {
    with_server(backend, async |server| {
        let known = server.signup(EMAIL).await;
        let (existing, missing) = (
            forgot(&server, EMAIL).await,
            forgot(&server, "b@example.com").await,
        );
        assert_eq!(existing.for_snapshot(), missing.for_snapshot());
        server.register("c@example.com").await;
        forgot(&server, "c@example.com").await;
        let mails = server.mails().await.into_iter();
        let recipients: Vec<_> = mails
            .filter(|mail| mail.kind == "reset")
            .map(|mail| mail.to)
            .collect();
        assert_eq!(recipients, [EMAIL]);
        assert_eq!(
            server.me(&known).await.status,
            StatusCode::OK,
            "asking changes nothing"
        );
    });
}

#[apply(each_database!)]
fn only_the_newest_reset_link_works_and_only_for_an_hour(backend: Backend) {
    with_server(backend, async |server| {
        server.signup(EMAIL).await;
        forgot(&server, EMAIL).await;
        let first = token(&server).await;
        forgot(&server, EMAIL).await;
        let second = token(&server).await;
        assert_ne!(first, second);
        let replaced = reset(&server, &first, NEW).await;
        replaced.is_problem(StatusCode::GONE, "reset_link_invalid");
        server.clock.advance_seconds(60 * 60);
        let late = reset(&server, &second, NEW).await;
        late.is_problem(StatusCode::GONE, "reset_link_invalid");
        assert_eq!(server.login(EMAIL, PASSWORD).await.status, StatusCode::OK);
    });
}

#[apply(each_database!)]
fn simultaneous_uses_of_a_link_set_one_password(backend: Backend) {
    with_server(backend, async |server| {
        server.signup(EMAIL).await;
        forgot(&server, EMAIL).await;
        let token = token(&server).await;
        let (left, right) = tokio::join!(
            reset(&server, &token, NEW),
            reset(&server, &token, "Other-Horse-99!")
        );
        let mut statuses = [left.status.as_u16(), right.status.as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [204, 410]);
    });
}

#[apply(each_database!)]
fn a_weak_password_is_refused_and_does_not_use_up_the_reset_link(backend: Backend) {
    with_server(backend, async |server| {
        server.signup(EMAIL).await;
        forgot(&server, EMAIL).await;
        let token = token(&server).await;
        assert_answer!("reset_weak", reset(&server, &token, "short").await);
        let answer = reset(&server, &token, NEW).await;
        assert_eq!(answer.status, StatusCode::NO_CONTENT);
        for junk in ["", "x", "' OR 1=1 --"] {
            let answer = reset(&server, junk, NEW).await;
            answer.is_problem(StatusCode::GONE, "reset_link_invalid");
        }
    });
}

#[apply(each_database!)]
fn reset_mails_to_one_address_are_limited(backend: Backend) {
    with_server_options(backend, &["--mails-per-hour", "2"], async |server| {
        for email in ["b@example.com", "nobody@example.com"] {
            for _ in 0..2 {
                assert_eq!(forgot(&server, email).await.status, StatusCode::ACCEPTED);
            }
            let refused = forgot(&server, email).await;
            refused.is_problem(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
            assert!(!refused.header("retry-after").is_empty());
        }
    });
}

#[apply(each_database!)]
fn a_blocked_account_gets_no_reset_link(backend: Backend) {
    with_server(backend, async |server| {
        let signed = server.signup(EMAIL).await;
        let mut transaction = server.state.db.write().await.unwrap();
        let status = slovo_db::accounts::Status::Blocked;
        slovo_db::accounts::set_status(&mut transaction, &signed.user_id, status)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        assert_eq!(forgot(&server, EMAIL).await.status, StatusCode::ACCEPTED);
        assert_eq!(server.last_mail(EMAIL).await.kind, "code");
    });
}

#[apply(each_database!)]
fn changing_the_password_ends_all_other_sessions(backend: Backend) {
    with_server(backend, async |server| {
        let current = server.signup(EMAIL).await;
        let other = TestUser::from(&server.login(EMAIL, PASSWORD).await.json());
        forgot(&server, EMAIL).await;
        let link = token(&server).await;
        let answer = change(&server, &current, PASSWORD, "k7-Rosa9-Lypa").await;
        assert_eq!(answer.status, StatusCode::NO_CONTENT, "{}", answer.text());
        assert_eq!(server.me(&current).await.status, StatusCode::OK);
        assert_signed_out(&server.me(&other).await);
        assert_eq!(
            server.login(EMAIL, "k7-Rosa9-Lypa").await.status,
            StatusCode::OK
        );
        assert_eq!(server.last_mail(EMAIL).await.kind, "password_changed");
        let spent = reset(&server, &link, NEW).await;
        spent.is_problem(StatusCode::GONE, "reset_link_invalid");
    });
}

#[apply(each_database!)]
fn wrong_current_passwords_are_refused_and_limited(backend: Backend) {
    with_server_options(backend, &["--logins-per-account", "3"], async |server| {
        let signed = server.signup(EMAIL).await;
        for _ in 0..3 {
            assert_answer!(
                "change_wrong",
                change(&server, &signed, "Wrong-Horse-77", NEW).await
            );
        }
        let refused = change(&server, &signed, PASSWORD, NEW).await;
        refused.is_problem(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
        let next: i64 = refused.header("retry-after").parse().unwrap();
        server.clock.advance_seconds(next);
        let answer = server.login(EMAIL, PASSWORD).await;
        assert_eq!(answer.status, StatusCode::OK, "the old one still holds");
    });
}

#[apply(each_database!)]
fn weak_and_mismatched_new_passwords_are_refused(backend: Backend) {
    with_server(backend, async |server| {
        let signed = server.signup(EMAIL).await;
        let form: Value = json!({
            "current_password": PASSWORD, "password": "seven77", "confirm_password": "other",
        });
        let answer = server
            .post_as(&signed, "/api/v1/auth/password/change", &form)
            .await;
        assert_answer!("change_weak", answer);
        let anonymous = server.post("/api/v1/auth/password/change", &form).await;
        assert_signed_out(&anonymous);
    });
}

#[apply(each_database!)]
fn easily_guessed_new_passwords_are_refused(backend: Backend) {
    with_server(backend, async |server| {
        let signed = server.signup(EMAIL).await;
        let assert_weak = |answer: &Answer| {
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
            assert_eq!(answer.json()["errors"][0]["code"], "password_weak");
            assert_eq!(answer.json()["errors"][0]["field"], "password");
        };
        assert_weak(&change(&server, &signed, PASSWORD, "Password123!").await);
        forgot(&server, EMAIL).await;
        let token = token(&server).await;
        assert_weak(&reset(&server, &token, "Password123!").await);
        let answer = reset(&server, &token, NEW).await;
        assert_eq!(
            answer.status,
            StatusCode::NO_CONTENT,
            "the link still holds"
        );
    });
}

#[apply(each_database!)]
fn an_account_without_a_password_gets_one_only_by_mail(backend: Backend) {
    with_server(backend, async |server| {
        let signed = server.signup(EMAIL).await;
        let mut transaction = server.state.db.write().await.unwrap();
        slovo_db::accounts::set_password(&mut transaction, &signed.user_id, "", 1)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        for current in ["", PASSWORD] {
            let answer = change(&server, &signed, current, NEW).await;
            answer.is_problem(StatusCode::CONFLICT, "password_not_set");
        }
        let refused = server.login(EMAIL, NEW).await;
        refused.is_problem(StatusCode::UNAUTHORIZED, "invalid_credentials");
        forgot(&server, EMAIL).await;
        let token = token(&server).await;
        let answer = reset(&server, &token, NEW).await;
        assert_eq!(answer.status, StatusCode::NO_CONTENT, "{}", answer.text());
        assert_eq!(server.login(EMAIL, NEW).await.status, StatusCode::OK);
    });
}

#[apply(each_database!)]
fn sign_ups_by_strangers_do_not_block_the_owners_reset(backend: Backend) {
    let options = ["--signups-per-hour", "1000", "--mails-per-hour", "2"];
    with_server_options(backend, &options, async |server| {
        server.signup(EMAIL).await;
        for _ in 0..20 {
            let form = crate::testing::signup_form(EMAIL);
            let answer = server
                .post_from("198.51.100.9", "/api/v1/auth/signup", &form)
                .await;
            answer.is_problem(StatusCode::CONFLICT, "email_taken");
        }
        assert_eq!(forgot(&server, EMAIL).await.status, StatusCode::ACCEPTED);
        assert_eq!(server.last_mail(EMAIL).await.kind, "reset");
    });
}

#[apply(each_database!)]
fn proofs_by_the_old_password_are_invalid_after_a_reset(backend: Backend) {
    use axum::extract::FromRequestParts;
    use slovo_app::auth::proof::{ProofError, confirm_password};

    with_server(backend, async |server| {
        let thief = server.signup(EMAIL).await;
        let request = server.request(axum::http::Method::GET, "/", &thief);
        let (mut parts, ()) = request.body(()).unwrap().into_parts();
        let caller = slovo_app::auth::Caller::from_request_parts(&mut parts, &server.state).await;
        let address = "192.0.2.1".parse().unwrap();
        let proof = confirm_password(server.state.auth(), &caller.unwrap(), address, PASSWORD)
            .await
            .unwrap();
        let hold = async || {
            let mut transaction = server.state.db.write().await.unwrap();
            proof
                .hold(&mut transaction, server.state.clock.now_ms())
                .await
        };
        assert!(hold().await.is_ok());
        forgot(&server, EMAIL).await;
        let token = token(&server).await;
        assert_eq!(
            reset(&server, &token, NEW).await.status,
            StatusCode::NO_CONTENT
        );
        assert!(matches!(hold().await, Err(ProofError::WrongPassword)));
    });
}

#[apply(each_database!)]
fn a_session_cannot_be_used_to_guess_the_password(backend: Backend) {
    with_server(backend, async |server| {
        let signed = server.signup(EMAIL).await;
        let limits = &server.state.limits;
        for _ in 0..50 {
            limits.proof_of(&signed.user_id).unwrap();
        }
        let refused = change(&server, &signed, PASSWORD, NEW).await;
        refused.is_problem(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
    });
}
