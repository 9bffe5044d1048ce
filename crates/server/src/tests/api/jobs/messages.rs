use std::time::Duration;

use uuid::Uuid;

use crate::testing::{Backend, with_server};

#[test]
fn a_change_that_another_process_stores_wakes_readers() {
    with_server(Backend::Postgres, async |server| {
        let other = server.another_process();
        for jobs in [&server.state.jobs, &other.jobs] {
            tokio::spawn(jobs.clone().exchange_messages());
        }
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
