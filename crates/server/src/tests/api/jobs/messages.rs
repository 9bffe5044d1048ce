use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use slovo_app::state::AppState;
use uuid::Uuid;

use crate::shared_limits::SharedLimits;
use crate::testing::{Backend, TestServer, with_server};

/// Both processes tell each other.
fn exchange(server: &TestServer, other: &AppState) {
    for state in [&server.state, other] {
        let limits = SharedLimits(Arc::clone(&state.limits));
        tokio::spawn(state.jobs.clone().exchange_messages(limits));
    }
}

#[test]
fn a_change_that_another_process_stores_wakes_readers() {
    with_server(Backend::Postgres, async |server| {
        let other = server.another_process();
        exchange(&server, &other);
        let (id, unknown) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let mut reader = other.jobs.live().follow(id);
        // All readers are woken when the connection is made.
        reader.receiver.changed().await.unwrap();
        let quiet = other.jobs.live().follow(unknown);
        for _ in 0..3 {
            reader.receiver.borrow_and_update();
            server.state.jobs.live().stored(id);
            reader.receiver.changed().await.unwrap();
        }
        // Far longer than a message takes; nobody told of this one.
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert!(!quiet.receiver.has_changed().unwrap());
        server.state.shutdown.cancel();
        other.shutdown.cancel();
    });
}

#[test]
fn attempts_at_one_process_count_at_the_others() {
    with_server(Backend::Postgres, async |server| {
        let other = server.another_process();
        exchange(&server, &other);
        let from: IpAddr = "192.0.2.7".parse().unwrap();
        let (email, unconcerned) = ("guessed@example.com", "another@example.com");
        // Attempts are told from the first moment of the exchange on.
        let mut tried = 0;
        while other.limits.login_to(email, from).is_ok() {
            // Each process alone allows more than this.
            assert!(tried < 1_000, "nobody is told");
            tried += 1;
            if server.state.limits.login_to(email, from).is_err() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
        let alone = (0..).take_while(|_| other.limits.login_to(unconcerned, from).is_ok());
        let alone = alone.count();
        assert!(
            tried < alone,
            "{tried} attempts with another process, {alone} without"
        );
        server.state.shutdown.cancel();
        other.shutdown.cancel();
    });
}
