//! Changing the address: both codes are needed, attempts are limited, and nothing about other
//! accounts is revealed.

use axum::body::Body;
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::testing::{
    Answer, Backend, PASSWORD, TestServer, TestUser, apply, each_database, with_server,
};

const PATH: &str = "/api/v1/me/email";
const OLD: &str = "a@example.com";
const NEW: &str = "new@example.com";

async fn begin(server: &TestServer, who: &TestUser, email: &str) -> Answer {
    let form = json!({"email": email, "password": PASSWORD});
    server.post_as(who, PATH, &form).await
}

async fn confirm(server: &TestServer, who: &TestUser, old: &str, new: &str) -> Answer {
    let codes = json!({"old_code": old, "new_code": new});
    server
        .post_as(who, &format!("{PATH}/confirm"), &codes)
        .await
}

/// The newest mail of this kind.
async fn mail(server: &TestServer, to: &str, kind: &str) -> slovo_mail::CapturedMail {
    let mails = server.mails().await;
    let matching = mails.into_iter().rev();
    let mut matching = matching.filter(|mail| mail.to == to && mail.kind == kind);
    matching
        .next()
        .unwrap_or_else(|| panic!("no {kind} to {to}"))
}

/// A code other than this one.
fn different_code(code: &str) -> String {
    let last = if code.ends_with('A') { 'B' } else { 'A' };
    format!("{}{last}", &code[..4])
}

fn assert_codes_invalid(answer: &Answer) {
    answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "email_codes_invalid");
}

#[apply(each_database!)]
fn both_codes_change_the_address_and_end_other_sessions(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup(OLD).await;
        let other_session = TestUser::from(&server.login(OLD, PASSWORD).await.json());
        let started = begin(&server, &me, " New@Example.com ").await;
        assert_eq!(started.status, StatusCode::ACCEPTED, "{}", started.text());
        assert_eq!(started.json()["email"], NEW);
        let pending = server.get_as(&me, PATH).await.json();
        assert_eq!(pending["change"], started.json());
        let to_old = mail(&server, OLD, "email_code_old").await;
        assert!(to_old.text.contains(NEW));
        let (old, new) = (
            to_old.code(),
            mail(&server, NEW, "email_code_new").await.code(),
        );
        for (old_code, new_code) in [
            (&old, &old),
            (&new, &old),
            (&old, &different_code(&new)),
            (&different_code(&old), &new),
        ] {
            assert_codes_invalid(&confirm(&server, &me, old_code, new_code).await);
        }
        for junk in ["", "A", "\u{1f4a5}", "' OR 1=1 --"] {
            assert_codes_invalid(&confirm(&server, &me, junk, &new).await);
        }
        let changed = confirm(&server, &me, &old.to_lowercase(), &format!(" {new} ")).await;
        assert_eq!(changed.status, StatusCode::OK, "{}", changed.text());
        assert_eq!(changed.json()["email"], NEW);
        assert_eq!(server.me(&me).await.json()["email"], NEW);
        assert_eq!(
            server.me(&other_session).await.status,
            StatusCode::UNAUTHORIZED
        );
        assert_eq!(server.login(NEW, PASSWORD).await.status, StatusCode::OK);
        let old_login = server.login(OLD, PASSWORD).await;
        old_login.is_problem(StatusCode::UNAUTHORIZED, "invalid_credentials");
        assert!(mail(&server, OLD, "email_changed").await.text.contains(NEW));
        let again = confirm(&server, &me, &old, &new).await;
        again.is_problem(StatusCode::GONE, "email_codes_expired");
        assert_eq!(server.get_as(&me, PATH).await.json()["change"], Value::Null);
        // The old address is free.
        server.signup(OLD).await;
    });
}

#[apply(each_database!)]
fn a_taken_address_looks_like_a_free_one(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup(OLD).await;
        server.signup("taken@example.com").await;
        let free = begin(&server, &me, "free@example.com").await;
        let taken = begin(&server, &me, "taken@example.com").await;
        assert_eq!(free.status, taken.status);
        let without = |answer: &Answer| {
            let mut body = answer.json();
            body["email"].take();
            body
        };
        assert_eq!(without(&free), without(&taken));
        mail(&server, "taken@example.com", "email_taken").await;
        let mails = server.mails().await;
        let mut codes = mails.iter().filter(|mail| mail.kind == "email_code_new");
        assert!(codes.all(|mail| mail.to == "free@example.com"));
        let old = mail(&server, OLD, "email_code_old").await.code();
        assert_codes_invalid(&confirm(&server, &me, &old, "AAAAA").await);
    });
}

#[apply(each_database!)]
fn an_address_taken_meanwhile_is_reported_only_after_both_codes(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup(OLD).await;
        begin(&server, &me, NEW).await;
        let old = mail(&server, OLD, "email_code_old").await.code();
        let new = mail(&server, NEW, "email_code_new").await.code();
        server.signup(NEW).await;
        let late = confirm(&server, &me, &old, &new).await;
        late.is_problem(StatusCode::CONFLICT, "email_taken");
        assert_eq!(server.me(&me).await.json()["email"], OLD);
    });
}

#[apply(each_database!)]
fn codes_expire_by_attempts_by_time_and_by_cancelling(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup(OLD).await;
        let other_user = server.signup("b@example.com").await;
        let codes = async || {
            assert_eq!(begin(&server, &me, NEW).await.status, StatusCode::ACCEPTED);
            let old = mail(&server, OLD, "email_code_old").await.code();
            (old, mail(&server, NEW, "email_code_new").await.code())
        };
        let is_over = async |(old, new): &(String, String)| {
            let answer = confirm(&server, &me, old, new).await;
            answer.is_problem(StatusCode::GONE, "email_codes_expired");
        };
        let first = codes().await;
        // The codes are not valid for another account.
        let stolen = confirm(&server, &other_user, &first.0, &first.1).await;
        stolen.is_problem(StatusCode::GONE, "email_codes_expired");
        let wrong = (0..9).map(|_| confirm(&server, &me, "AAAAA", &first.1));
        let answers = futures_util::future::join_all(wrong).await;
        let compared = answers
            .iter()
            .filter(|answer| answer.code() == "email_codes_invalid");
        assert_eq!(compared.count(), 5);
        is_over(&first).await;
        server.clock.advance_seconds(60);
        let second = codes().await;
        let request = server.request(Method::DELETE, PATH, &me);
        let cancelled = server.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(cancelled.status, StatusCode::NO_CONTENT);
        is_over(&second).await;

        let same = begin(&server, &me, "A@example.com").await;
        same.is_problem(StatusCode::CONFLICT, "email_unchanged");
        let form = json!({"email": NEW, "password": "Wrong-Horse-2026!"});
        let unproven = server.post_as(&me, PATH, &form).await;
        unproven.is_problem(StatusCode::FORBIDDEN, "wrong_password");
        let hostile = begin(&server, &me, "a@b\r\nBcc: x@y.z").await;
        hostile.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        server.clock.advance_seconds(600);
        let third = codes().await;
        server.clock.advance_seconds(15 * 60);
        let me = TestUser::from(&server.login(OLD, PASSWORD).await.json());
        let late = confirm(&server, &me, &third.0, &third.1).await;
        late.is_problem(StatusCode::GONE, "email_codes_expired");
    });
}
