//! The queue of stretches on both databases: turns, leases, and recovery from dead workers.

use super::*;
use crate::Database;
use crate::core::lease::Claim;
use crate::jobs::tests::{account, enqueue};
use crate::testing::{Backend, apply, each_database, execute, with_database};

const LEASE: i64 = 30_000;

fn id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

fn plan(start: f64, end: f64) -> StretchPlan {
    StretchPlan {
        start,
        end,
        language: Some(Language::Uk),
        mode: TranscriptionType::Full,
        segments: vec![SegmentRef {
            id: "3".to_owned(),
            revision: 2,
        }],
    }
}

async fn put(db: &Database, (job, user): (Uuid, &str), number: u128, now: i64) -> bool {
    let mut transaction = db.write().await.unwrap();
    let new = NewStretch {
        id: id(number),
        job,
        version: 1,
        user_id: user,
        client: id(9),
        plan: &plan(10.0, 25.5),
        now,
    };
    let inserted = insert(&mut transaction, &new).await.unwrap();
    transaction.commit().await.unwrap();
    inserted.is_some()
}

async fn take(db: &Database, owner: &str, now: i64) -> Option<(StretchLease, Stretch)> {
    let mut transaction = db.write().await.unwrap();
    let request = Claim {
        lease_id: Uuid::new_v4().to_string(),
        owner,
        now,
        until: now + LEASE,
    };
    let claimed = claim(&mut transaction, db.backend(), &request)
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    claimed
}

async fn end(db: &Database, lease: &StretchLease, seq: u32, now: i64) -> bool {
    let mut transaction = db.write().await.unwrap();
    let done = complete(&mut transaction, lease, (seq, "uk"), now)
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    done
}

async fn newest(db: &Database, job: Uuid) -> StretchState {
    let mut connection = db.read().await.unwrap();
    recent(&mut connection, job, 1).await.unwrap().remove(0)
}

#[apply(each_database!)]
fn a_stretch_is_claimed_once_and_becomes_an_edit(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "ann").await;
        let job = enqueue(&db, "ann", 1, 0, 0).await;
        assert!(put(&db, (job, "ann"), 1, 10).await);
        assert!(
            !put(&db, (job, "ann"), 2, 11).await,
            "one of a job at a time"
        );
        let (lease, stretch) = take(&db, "w1", 20).await.unwrap();
        assert_eq!((stretch.start, stretch.end), (10.0, 25.5));
        assert_eq!(
            (stretch.language, stretch.mode),
            (Some(Language::Uk), TranscriptionType::Full)
        );
        assert_eq!(stretch.segments, plan(0.0, 1.0).segments);
        assert_eq!(newest(&db, job).await.status, StretchStatus::Running);
        assert!(take(&db, "w2", 21).await.is_none());
        let mut transaction = db.write().await.unwrap();
        assert!(
            store_progress(&mut transaction, &lease, 40_000, 60.0)
                .await
                .unwrap()
        );
        assert!(
            store_progress(&mut transaction, &lease, 40_000, 30.0)
                .await
                .unwrap()
        );
        transaction.commit().await.unwrap();
        assert_eq!(newest(&db, job).await.percent, 60.0, "it never decreases");
        assert!(end(&db, &lease, 4, 30).await);
        assert!(!end(&db, &lease, 5, 31).await, "the claim has ended");
        let done = newest(&db, job).await;
        assert_eq!(
            (done.status, done.seq, done.percent),
            (StretchStatus::Done, Some(4), 100.0)
        );
        assert_eq!(done.finished_at, Some(30));
        let mut connection = db.read().await.unwrap();
        let expected = Edited {
            version: 1,
            seq: 4,
            language: "uk".to_owned(),
        };
        assert_eq!(edited(&mut connection, job).await.unwrap(), [expected]);
        assert_eq!(seconds_used(&mut connection, job).await.unwrap(), 15.5);
        drop(connection);
        assert!(
            put(&db, (job, "ann"), 3, 40).await,
            "the next one may be asked for"
        );
    });
}

#[apply(each_database!)]
fn users_take_turns(backend: Backend) {
    with_database(backend, async |db| {
        for user in ["ann", "bob"] {
            account(&db, user).await;
        }
        let jobs = [
            (enqueue(&db, "ann", 1, 0, 0).await, "ann"),
            (enqueue(&db, "ann", 2, 0, 0).await, "ann"),
            (enqueue(&db, "bob", 3, 0, 0).await, "bob"),
        ];
        for (number, job) in (1..).zip(jobs) {
            assert!(put(&db, job, number, 10 + i64::try_from(number).unwrap()).await);
        }
        let mut order = Vec::new();
        for now in 20..23 {
            let (_, stretch) = take(&db, "w", now).await.unwrap();
            order.push(stretch.user_id);
        }
        assert_eq!(order, ["ann", "bob", "ann"]);
    });
}

#[apply(each_database!)]
fn a_dead_worker_loses_its_stretch_and_the_third_loss_is_final(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "ann").await;
        let job = enqueue(&db, "ann", 1, 0, 0).await;
        assert!(put(&db, (job, "ann"), 1, 10).await);
        let mut last = None;
        for attempt in 1..=3 {
            let now = 100 * attempt;
            let (lease, stretch) = take(&db, "dead", now).await.unwrap();
            assert_eq!(stretch.attempts, attempt);
            if let Some(lost) = last.replace(lease) {
                assert!(!end(&db, &lost, 1, now).await, "its lease is lost");
            }
            let mut transaction = db.write().await.unwrap();
            assert_eq!(
                expire_leases(&mut transaction, "dead", now + 1)
                    .await
                    .unwrap(),
                1
            );
            transaction.commit().await.unwrap();
        }
        let mut transaction = db.write().await.unwrap();
        let lost = give_up(&mut transaction, 3, "worker_lost", 400)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        assert_eq!(lost, [job]);
        let failed = newest(&db, job).await;
        assert_eq!(failed.status, StretchStatus::Failed);
        assert_eq!(failed.error.as_deref(), Some("worker_lost"));
        let mut connection = db.read().await.unwrap();
        assert_eq!(
            seconds_used(&mut connection, job).await.unwrap(),
            0.0,
            "failed ones are free"
        );
        assert!(!any_waiting(&mut connection, 1_000_000).await.unwrap());
    });
}

#[apply(each_database!)]
fn a_returned_stretch_waits_and_a_forgiven_claim_does_not_count(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "ann").await;
        let job = enqueue(&db, "ann", 1, 0, 0).await;
        assert!(put(&db, (job, "ann"), 1, 10).await);
        let (lease, _) = take(&db, "w", 20).await.unwrap();
        let mut transaction = db.write().await.unwrap();
        assert!(
            retry_later(&mut transaction, &lease, 50, true)
                .await
                .unwrap()
        );
        assert!(!is_lease_valid(&mut transaction, &lease).await.unwrap());
        transaction.commit().await.unwrap();
        assert!(take(&db, "w", 49).await.is_none());
        let (_, stretch) = take(&db, "w", 50).await.unwrap();
        assert_eq!(stretch.attempts, 1);
    });
}

#[apply(each_database!)]
fn an_unreadable_row_fails_and_does_not_stop_the_queue(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "ann").await;
        let (broken, sound) = (
            enqueue(&db, "ann", 1, 0, 0).await,
            enqueue(&db, "ann", 2, 0, 0).await,
        );
        assert!(put(&db, (broken, "ann"), 1, 10).await);
        assert!(put(&db, (sound, "ann"), 2, 11).await);
        let mut transaction = db.write().await.unwrap();
        let statement = format!("UPDATE stretches SET mode = 'odd' WHERE id = '{}'", id(1));
        execute(&mut transaction, &statement).await;
        transaction.commit().await.unwrap();
        let (_, stretch) = take(&db, "w", 20).await.unwrap();
        assert_eq!(stretch.job, sound);
    });
}
