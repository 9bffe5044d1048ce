//! Signing in through the real router, on both databases.

use std::net::SocketAddr;

use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Request, StatusCode, header};
use serde_json::json;
use slovo_db::accounts::sessions::{EndReason, end_all};
use slovo_db::accounts::{Status, set_status};

use crate::testing::{
    Answer, Backend, PASSWORD, TestServer, TestUser, apply, assert_answer, each_database,
    with_server, with_server_options,
};

const PATH: &str = "/api/v1/auth/login";

async fn login_from(server: &TestServer, peer: &str, forwarded: &str, email: &str) -> Answer {
    let body = json!({"email": email, "password": "Wrong-Horse-77"}).to_string();
    let mut request = Request::post(PATH)
        .header(header::CONTENT_TYPE, "application/json")
        .header("x-forwarded-for", forwarded)
        .body(Body::from(body))
        .unwrap();
    let peer = SocketAddr::new(peer.parse().unwrap(), 40000);
    request.extensions_mut().insert(ConnectInfo(peer));
    server.send(request).await
}

#[apply(each_database!)]
fn the_right_password_starts_a_session(backend: Backend) {
    with_server(backend, async |server| {
        server.signup("a@example.com").await;
        let answer = server.login("  A@example.com", PASSWORD).await;
        assert_answer!("login_right", answer);
        let signed = TestUser::from(&answer.json());
        assert_eq!(server.me(&signed).await.status, StatusCode::OK);
    });
}

#[apply(each_database!)]
fn an_unknown_address_and_a_wrong_password_look_the_same(backend: Backend) {
    with_server(backend, async |server| {
        server.signup("a@example.com").await;
        let wrong = server.login("a@example.com", "Wrong-Horse-77").await;
        let unknown = server.login("nobody@example.com", "Wrong-Horse-77").await;
        assert_answer!("login_refused", wrong);
        assert_answer!("login_refused", unknown);
        for almost in [
            PASSWORD.to_lowercase(),
            format!("{PASSWORD} "),
            format!("{PASSWORD}\0"),
        ] {
            let answer = server.login("a@example.com", &almost).await;
            answer.is_problem(StatusCode::UNAUTHORIZED, "invalid_credentials");
        }
    });
}

#[apply(each_database!)]
fn injection_attempts_are_refused(backend: Backend) {
    with_server(backend, async |server| {
        server.signup("a@example.com").await;
        for email in [
            "'or'1'='1@example.com",
            "a@example.com'--",
            "a@example.com\0",
        ] {
            let answer = server.login(email, "' OR '1'='1").await;
            assert!(
                answer.status.is_client_error(),
                "{email:?}: {}",
                answer.text()
            );
        }
        let object = json!({"email": {"$ne": ""}, "password": {"$ne": ""}});
        let answer = server.post(PATH, &object).await;
        answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "unexpected_json");
    });
}

#[apply(each_database!)]
fn missing_fields_are_named(backend: Backend) {
    with_server(backend, async |server| {
        assert_answer!("login_nothing", server.post(PATH, &json!({})).await);
    });
}

#[apply(each_database!)]
fn blocking_acts_at_once_and_is_revealed_only_with_the_password(backend: Backend) {
    with_server(backend, async |server| {
        let signed = server.signup("a@example.com").await;
        let now = server.state.clock.now_ms();
        let mut transaction = server.state.db.write().await.unwrap();
        set_status(&mut transaction, &signed.user_id, Status::Blocked)
            .await
            .unwrap();
        end_all(&mut transaction, &signed.user_id, EndReason::Blocked, now)
            .await
            .unwrap();
        transaction.commit().await.unwrap();

        server
            .me(&signed)
            .await
            .is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
        let refresh = json!({"refresh_token": signed.refresh_token});
        let refused = server.post("/api/v1/auth/refresh", &refresh).await;
        refused.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
        let blocked = server.login("a@example.com", PASSWORD).await;
        blocked.is_problem(StatusCode::FORBIDDEN, "account_blocked");
        let wrong = server.login("a@example.com", "Wrong-Horse-77").await;
        wrong.is_problem(StatusCode::UNAUTHORIZED, "invalid_credentials");

        let mut transaction = server.state.db.write().await.unwrap();
        set_status(&mut transaction, &signed.user_id, Status::Active)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        assert_eq!(
            server.login("a@example.com", PASSWORD).await.status,
            StatusCode::OK
        );
        server
            .me(&signed)
            .await
            .is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
    });
}

#[apply(each_database!)]
fn blocking_acts_even_if_sessions_were_not_ended(backend: Backend) {
    with_server(backend, async |server| {
        let signed = server.signup("a@example.com").await;
        let mut transaction = server.state.db.write().await.unwrap();
        set_status(&mut transaction, &signed.user_id, Status::Blocked)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        server
            .me(&signed)
            .await
            .is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
        let refresh = json!({"refresh_token": signed.refresh_token});
        let refused = server.post("/api/v1/auth/refresh", &refresh).await;
        refused.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
    });
}

#[apply(each_database!)]
fn password_guessing_is_limited_without_limiting_the_owner(backend: Backend) {
    with_server_options(backend, &["--logins-per-account", "3"], async |server| {
        server.signup("a@example.com").await;
        for _ in 0..3 {
            let answer = login_from(&server, "198.51.100.9", "", "a@example.com").await;
            answer.is_problem(StatusCode::UNAUTHORIZED, "invalid_credentials");
        }
        let limited = login_from(&server, "198.51.100.9", "", "a@example.com").await;
        assert_answer!("login_limited", limited);
        // The header is forged: this server has no proxy.
        let forged = login_from(&server, "198.51.100.9", "203.0.113.5", "a@example.com").await;
        forged.is_problem(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
        let other = login_from(&server, "198.51.100.9", "", "b@example.com").await;
        other.is_problem(StatusCode::UNAUTHORIZED, "invalid_credentials");
        assert_eq!(
            server.login("a@example.com", PASSWORD).await.status,
            StatusCode::OK
        );
        server
            .clock
            .advance_seconds(limited.header("retry-after").parse().unwrap());
        let later = login_from(&server, "198.51.100.9", "", "a@example.com").await;
        later.is_problem(StatusCode::UNAUTHORIZED, "invalid_credentials");
    });
}

#[apply(each_database!)]
fn guessing_across_many_accounts_is_limited(backend: Backend) {
    with_server_options(backend, &["--logins-per-minute", "4"], async |server| {
        for i in 0..4 {
            let email = format!("u{i}@example.com");
            let answer = login_from(&server, "2001:db8::1", "", &email).await.status;
            assert_eq!(answer, StatusCode::UNAUTHORIZED);
        }
        let limited = login_from(&server, "2001:db8::2", "", "u9@example.com").await;
        limited.is_problem(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
        let other = login_from(&server, "2001:db8:1::1", "", "u9@example.com").await;
        other.is_problem(StatusCode::UNAUTHORIZED, "invalid_credentials");
    });
}

#[apply(each_database!)]
fn behind_a_proxy_only_its_own_forwarded_entry_counts(backend: Backend) {
    with_server_options(
        backend,
        &["--behind-proxy", "--logins-per-minute", "1"],
        async |server| {
            let from = async |forwarded| {
                login_from(&server, "127.0.0.1", forwarded, "a@example.com")
                    .await
                    .status
            };
            assert_eq!(from("192.0.2.7").await, StatusCode::UNAUTHORIZED);
            assert_eq!(
                from("203.0.113.1, 192.0.2.7").await,
                StatusCode::TOO_MANY_REQUESTS
            );
            assert_eq!(from("192.0.2.7, 192.0.2.8").await, StatusCode::UNAUTHORIZED);
        },
    );
}

#[apply(each_database!)]
fn an_unconfirmed_sign_up_is_revealed_only_with_its_password(backend: Backend) {
    with_server(backend, async |server| {
        server.register("a@example.com").await;
        let first = server.last_mail("a@example.com").await.code();
        let wrong = server.login("a@example.com", "Wrong-Horse-77").await;
        assert_answer!("login_refused", wrong);
        let unverified = server.login("a@example.com", PASSWORD).await;
        assert_answer!("login_unverified", unverified);
        let first_sign_up = unverified.json()["params"].clone();
        // A code was mailed a moment ago; it is now valid for this browser.
        assert_eq!(server.mails().await.len(), 1);
        server.clock.advance_seconds(60);
        let second_sign_up = server.login("a@example.com", PASSWORD).await.json()["params"].clone();
        assert_eq!(server.mails().await.len(), 2);
        let second = server.last_mail("a@example.com").await.code();
        let stale = server.verify(&first_sign_up, &first).await;
        stale.is_problem(StatusCode::GONE, "registration_superseded");
        let answer = server.verify(&second_sign_up, &second).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
    });
}

/// Hashing dominates the time of a sign-in. Counting hashes is independent of the clock.
#[apply(each_database!)]
fn every_answer_costs_one_hash(backend: Backend) {
    with_server(backend, async |server| {
        server.signup("known@example.com").await;
        server.register("waiting@example.com").await;
        for email in [
            "known@example.com",
            "waiting@example.com",
            "nobody@example.com",
        ] {
            let before = server.state.passwords.work();
            let answer = server.login(email, "Wrong-Horse-77").await;
            assert_answer!("login_refused", answer);
            assert_eq!(server.state.passwords.work() - before, 1, "{email}");
        }
    });
}

#[apply(each_database!)]
fn mass_guessing_is_limited_without_locking_out_the_owner(backend: Backend) {
    with_server(backend, async |server| {
        server.signup("a@example.com").await;
        let mut limited = 0;
        for i in 0..200 {
            let answer = server
                .login("a@example.com", &format!("Guess-Horse-{i}"))
                .await;
            limited += usize::from(answer.status == StatusCode::TOO_MANY_REQUESTS);
            assert_ne!(answer.status, StatusCode::OK);
        }
        assert_eq!(limited, 190, "ten tries in a quarter of an hour");
        // From many networks together, at most two hundred passwords per hour are compared.
        let before = server.state.passwords.work();
        for network in 0..250 {
            let peer = format!("10.0.{network}.1");
            login_from(&server, &peer, "", "a@example.com").await;
        }
        assert_eq!(server.state.passwords.work() - before, 190);
        let stranger = login_from(&server, "10.1.1.1", "", "a@example.com").await;
        stranger.is_problem(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
        server.clock.advance_seconds(90);
        let owner = server.login("a@example.com", PASSWORD).await;
        assert_eq!(owner.status, StatusCode::OK, "{}", owner.text());
    });
}

#[apply(each_database!)]
fn a_session_that_is_not_remembered_expires_within_a_day(backend: Backend) {
    with_server(backend, async |server| {
        server.signup("a@example.com").await;
        for (remember, hours, status) in [
            (true, 24 * 29, StatusCode::OK),
            (false, 23, StatusCode::OK),
            (false, 24, StatusCode::UNAUTHORIZED),
        ] {
            let form =
                json!({"email": "a@example.com", "password": PASSWORD, "remember": remember});
            let session = server.post(PATH, &form).await.json();
            server.clock.advance_seconds(hours * 60 * 60);
            let token = json!({"refresh_token": session["refresh_token"]});
            let answer = server.post("/api/v1/auth/refresh", &token).await;
            assert_eq!(answer.status, status, "{remember} {hours}");
        }
    });
}
