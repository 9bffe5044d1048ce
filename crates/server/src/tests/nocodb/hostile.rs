//! Servers that are unreachable or misbehave: each failure has its hint and takes bounded time and
//! memory, and the token is sent to no other host.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::http::Method;
use serde_json::json;
use slovo_db::nocodb as stored;
use slovo_nocodb::testing::{Client, ClientLimits, ClientParts, Failure, Repeat};
use slovo_nocodb::{ConnectionTest, prepare, test};
use slovo_platform::random::SystemRandom;
use slovo_platform::redacted::Redacted;
use tokio::net::TcpListener;

use super::fake::{BASE, Fake, FakeFault, TOKEN};
use super::world::{assert_settled, configure, plan, server, sync, sync_well, with_world};
use crate::testing::{
    Backend, TIMEOUT, TestClock, TestServer, apply, each_database, with_database,
};

async fn test_connection(server: &TestServer) -> ConnectionTest {
    let config = {
        let mut connection = server.state.db.read().await.unwrap();
        stored::config(&mut connection).await.unwrap().unwrap()
    };
    test(&server.state.nocodb(), &config).await.unwrap()
}

async fn hint(server: &TestServer) -> String {
    let tested = test_connection(server).await;
    assert!(!tested.success, "{tested:?}");
    assert!(!format!("{tested:?}").contains(TOKEN), "{tested:?}");
    tested.hint.unwrap()
}

#[apply(each_database!)]
fn every_connection_failure_has_its_hint(backend: Backend) {
    with_world(backend, async |server, fake| {
        let connected = test_connection(&server).await;
        assert!(connected.success, "{connected:?}");
        assert_eq!(
            (connected.tables_found, connected.error, connected.hint),
            (7, None, None)
        );
        assert!(connected.table_names.contains(&"synced_users".to_owned()));
        assert!(connected.config.token_configured && connected.config.project_id == BASE);
        let mut connection = server.state.db.read().await.unwrap();
        let config = stored::config(&mut connection).await.unwrap().unwrap();
        assert_eq!(
            (config.last_test_success, config.last_test_error),
            (Some(true), None)
        );
        drop(connection);

        for (fault, expected) in [
            (FakeFault::Html(200), "not_nocodb"),
            (FakeFault::Html(404), "not_nocodb"),
            (FakeFault::Status(401, Vec::new()), "unauthorized"),
            (FakeFault::Status(403, Vec::new()), "forbidden"),
            (FakeFault::Status(404, Vec::new()), "not_nocodb"),
            (FakeFault::Status(500, Vec::new()), "server"),
            (
                FakeFault::Status(429, vec![("retry-after", "3600".to_owned())]),
                "rate_limited",
            ),
            (FakeFault::Big(10 * 1024 * 1024), "too_large"),
            (FakeFault::Cut, "broken"),
            (FakeFault::Says(json!([1, 2])), "malformed"),
            (FakeFault::Says(json!({"list": {}})), "malformed"),
        ] {
            let description = format!("{fault:?}");
            fake.inject_faults(move |_| Some(fault.clone()));
            assert_eq!(hint(&server).await, expected, "{description}");
        }
        fake.clear_faults();
        configure(&server, &fake.url, "panother").await;
        let missing_base = test_connection(&server).await;
        assert_eq!(
            (missing_base.hint.as_deref(), missing_base.status_code),
            (Some("not_found"), Some(404))
        );
        // Closed port, unknown host, and link-local addresses, which are not contacted.
        for (url, expected) in [
            ("http://127.0.0.1:1", "refused"),
            ("http://nobody.invalid", "dns"),
            ("http://169.254.169.254/latest", "address"),
            ("http://[fe80::1]:8080", "address"),
            ("http://[::ffff:169.254.169.254]", "address"),
        ] {
            configure(&server, url, BASE).await;
            assert_eq!(hint(&server).await, expected, "{url}");
        }
        configure(&server, &fake.url.replace("http:", "https:"), BASE).await;
        assert_eq!(hint(&server).await, "tls");
    });
}

#[apply(each_database!)]
fn missing_tables_and_fields_are_reported_and_created(backend: Backend) {
    with_world(backend, async |server, fake| {
        fake.drop_table("synced_presets");
        fake.drop_field("synced_users", "email");
        let lacking = test_connection(&server).await;
        assert_eq!(lacking.hint.as_deref(), Some("schema"));
        let details = lacking.details.unwrap();
        assert_eq!(details.missing_tables, ["synced_presets"]);
        assert_eq!(details.missing_fields, ["synced_users.email"]);
        // Nothing is written that would be silently lost.
        fake.requests();
        let run = sync(&server).await;
        assert_eq!(run.failure.as_deref(), Some("schema"));
        assert!(fake.writes().is_empty());
        let config = {
            let mut connection = server.state.db.read().await.unwrap();
            stored::config(&mut connection).await.unwrap().unwrap()
        };
        let prepared = prepare(&server.state.nocodb(), &config).await.unwrap();
        assert!(prepared.success, "{prepared:?}");
        assert_eq!(prepared.tables_found, 7);
        server.signup("olha@example.com").await;
        sync_well(&server).await;
        fake.row_with("synced_users", "email", "olha@example.com");
    });
}

#[apply(each_database!)]
fn a_redirect_is_not_followed_with_the_token(backend: Backend) {
    with_database(backend, async |database| {
        let other_server = Fake::start(true).await;
        let fake = Fake::start(true).await;
        let server = server(database, &fake.url, BASE).await;
        let to = other_server.url.clone();
        fake.inject_faults(move |request| {
            Some(FakeFault::Status(
                302,
                vec![("location", format!("{to}{}", request.path))],
            ))
        });
        assert_eq!(hint(&server).await, "redirected");
        assert!(other_server.requests().is_empty());
    });
}

#[apply(each_database!)]
fn failed_requests_are_retried_without_creating_rows_twice(backend: Backend) {
    with_world(backend, async |server, fake| {
        for number in 0..200 {
            plan(&server, &format!("План {number}")).await;
        }
        let count = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&count);
        fake.inject_faults(move |_| {
            // Every third request fails, each in a different way.
            match counter.fetch_add(1, Ordering::SeqCst) {
                n if n % 3 != 2 => None,
                n => Some(match (n / 3) % 4 {
                    0 => FakeFault::Status(429, vec![("retry-after", "0".to_owned())]),
                    1 => FakeFault::Status(503, Vec::new()),
                    2 => FakeFault::CutAfter,
                    _ => FakeFault::Cut,
                }),
            }
        });
        sync_well(&server).await;
        fake.clear_faults();
        let requests = count.load(Ordering::SeqCst);
        assert!(
            requests >= 12,
            "each failure has come, in {requests} requests"
        );
        assert_eq!(fake.rows("synced_subscriptions").len(), 200);
        assert_settled(&server, &fake).await;
    });
}

#[apply(each_database!)]
fn a_server_that_turns_hostile_ends_the_run_and_changes_nothing(backend: Backend) {
    with_world(backend, async |server, fake| {
        server.signup("olha@example.com").await;
        sync_well(&server).await;
        for fault in [
            FakeFault::Html(200),
            FakeFault::Big(9 * 1024 * 1024),
            FakeFault::Says(json!({"list": [{"Id": "x"}], "records": [{"id": []}]})),
            FakeFault::Says(json!({"list": "no", "records": 5})),
            FakeFault::Status(401, Vec::new()),
            // The same rows in an endless loop.
            FakeFault::Says(json!({"list": vec![json!({"Id": 0}); 100],
                "records": vec![json!({"id": 0, "fields": {}}); 100]})),
        ] {
            let description = format!("{fault:?}").chars().take(60).collect::<String>();
            fake.inject_faults(move |request| {
                request.path.contains("/records").then(|| fault.clone())
            });
            let run = sync(&server).await;
            assert_eq!(run.status.as_str(), "failed", "{description}: {run:?}");
            assert!(run.failure.is_some());
        }
        fake.clear_faults();
        assert_settled(&server, &fake).await;
    });
}

fn client(url: &str, limits: ClientLimits) -> Client {
    Client::new(ClientParts {
        api_url: url.to_owned(),
        token: TOKEN.parse::<Redacted>().unwrap(),
        limits,
        clock: Arc::new(TestClock::new()),
        random: Arc::new(SystemRandom),
        stop: tokio_util::sync::CancellationToken::new(),
    })
    .unwrap()
}

#[tokio::test]
async fn requests_respect_rate_limit_retry_after_and_timeout() {
    let fake = Fake::start(true).await;
    let limits = |answer| ClientLimits {
        answer,
        pause: Duration::from_millis(20),
        tries: 3,
        ..ClientLimits::of_rate(20)
    };
    let patient = client(&fake.url, limits(TIMEOUT));
    let started = tokio::time::Instant::now();
    for _ in 0..5 {
        patient.get("api/v1/health", &[]).await.unwrap();
    }
    assert!(started.elapsed() >= Duration::from_millis(4 * 50));

    let mut first = true;
    fake.inject_faults(move |_| {
        std::mem::take(&mut first)
            .then(|| FakeFault::Status(429, vec![("retry-after", "1".to_owned())]))
    });
    let started = tokio::time::Instant::now();
    patient.get("api/v1/health", &[]).await.unwrap();
    assert!(started.elapsed() >= Duration::from_secs(1));

    // A slow request times out and is retried up to the limit.
    fake.requests();
    fake.inject_faults(|_| Some(FakeFault::Slow(Duration::from_secs(60))));
    let client = client(&fake.url, limits(Duration::from_millis(300)));
    let slow = client.get("api/v1/health", &[]).await;
    assert_eq!(slow.unwrap_err(), Failure::Timeout);
    assert_eq!(fake.requests().len(), 3);
    // Requests that are not idempotent are sent once.
    let body = json!([]);
    let sent = client
        .send(Method::POST, "api/x", &[], Some(&body), Repeat::Unsafe)
        .await;
    assert_eq!(sent.unwrap_err(), Failure::Timeout);
    assert_eq!(fake.requests().len(), 1);
}

#[tokio::test]
async fn a_silent_connection_times_out() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let limits = ClientLimits {
        answer: Duration::from_millis(100),
        pause: Duration::from_millis(1),
        tries: 2,
        ..ClientLimits::of_rate(1000)
    };
    let silent = client(&url, limits).get("api/v1/health", &[]).await;
    assert_eq!(silent.unwrap_err(), Failure::Timeout);
}
