//! The queue of analyses on both databases: order, leases, and recovery from dead workers.

use slovo_rules::analysis::{EngineKind, Keywords};

use super::*;
use crate::core::lease::Claim;
use crate::jobs::tests::{account, enqueue};
use crate::testing::{Backend, apply, each_database, execute, with_database};
use crate::{Database, jobs};

const LEASE: i64 = 30_000;

fn id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

async fn put(db: &Database, job: Uuid, number: u128, request: &PartRequest, now: i64) -> bool {
    let mut transaction = db.write().await.unwrap();
    let new = NewAnalysis {
        id: id(number),
        job,
        version: 1,
        request,
        held_reason: None,
        now,
    };
    let inserted = insert(&mut transaction, &new).await.unwrap();
    transaction.commit().await.unwrap();
    inserted
}

async fn take(db: &Database, owner: &str, now: i64) -> Option<(AnalysisLease, Analysis)> {
    let mut transaction = db.write().await.unwrap();
    let request = Claim {
        lease_id: Uuid::new_v4().to_string(),
        owner,
        now,
        until: now + LEASE,
    };
    let claimed = claim(&mut transaction, db.backend(), None, &request).await;
    match claimed {
        Ok(claimed) => {
            transaction.commit().await.unwrap();
            claimed
        }
        // Another process claimed first.
        Err(error) => {
            assert_eq!(error.constraint(), Some("analyses_one_running"), "{error}");
            None
        }
    }
}

async fn stored_analysis(db: &Database, job: Uuid, number: u128) -> Analysis {
    let mut connection = db.read().await.unwrap();
    find(&mut connection, job, id(number))
        .await
        .unwrap()
        .unwrap()
}

const NAME: &str = "m";

fn progress_at(percent: f64) -> PartProgress {
    PartProgress {
        percent,
        seconds_left: Some(7.0),
    }
}

fn engine() -> EngineName {
    EngineName {
        kind: EngineKind::Embedded,
        model: NAME.to_owned(),
    }
}

fn outcome() -> Outcome {
    Outcome::Keywords(Keywords {
        keywords: Vec::new(),
    })
}

fn spanish() -> PartRequest {
    PartRequest {
        target: Some(TranslationTarget::Spanish),
        ..PartRequest::plain(Part::Translation)
    }
}

#[apply(each_database!)]
fn parts_of_one_job_run_in_turn_and_those_of_others_concurrently(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "u1").await;
        let (first, second) = (
            enqueue(&db, "u1", 1, 0, 1).await,
            enqueue(&db, "u1", 2, 0, 1).await,
        );
        assert!(put(&db, first, 10, &PartRequest::plain(Part::Keywords), 5).await);
        assert!(put(&db, first, 11, &spanish(), 6).await);
        assert!(put(&db, second, 12, &PartRequest::plain(Part::Keywords), 7).await);
        assert!(take(&db, "w", 4).await.is_none(), "not before its time");
        let (lease, taken) = take(&db, "w", 10).await.unwrap();
        assert_eq!((taken.id, taken.attempts), (id(10), 1));
        assert_eq!(
            take(&db, "w", 10).await.unwrap().1.id,
            id(12),
            "another job's"
        );
        assert!(take(&db, "w", 10).await.is_none(), "one by one");

        let mut transaction = db.write().await.unwrap();
        assert!(
            store_progress(&mut transaction, &lease, 20_000, progress_at(40.0))
                .await
                .unwrap()
        );
        assert!(
            store_progress(&mut transaction, &lease, 40_010, progress_at(30.0))
                .await
                .unwrap()
        );
        transaction.commit().await.unwrap();
        let running = stored_analysis(&db, first, 10).await;
        assert_eq!(running.percent, 40.0, "it never falls");
        assert_eq!(running.seconds_left, Some(7.0));
        let mut transaction = db.write().await.unwrap();
        let (name, result) = (engine(), outcome());
        let origin = ResultOrigin {
            engine: Some(&name),
            seq: Some(3),
            print: Some("abc"),
        };
        assert!(
            complete(&mut transaction, &lease, &origin, &result, 99)
                .await
                .unwrap()
        );
        assert!(
            !complete(&mut transaction, &lease, &origin, &result, 99)
                .await
                .unwrap()
        );
        transaction.commit().await.unwrap();
        let stored = stored_analysis(&db, first, 10).await;
        assert_eq!(stored.status, AnalysisStatus::Done);
        assert_eq!((stored.percent, stored.finished_at), (100.0, Some(99)));
        assert_eq!(stored.seconds_left, None);
        assert_eq!((stored.engine, stored.made_from_seq), (Some(name), Some(3)));
        assert_eq!(stored.made_from_print.as_deref(), Some("abc"));
        assert_eq!((stored.outcome, stored.error), (Some(result), None));
        let next = take(&db, "w", 100).await.unwrap().1;
        assert_eq!(next.target, Some(TranslationTarget::Spanish));
    });
}

#[apply(each_database!)]
fn a_part_is_not_queued_again_while_it_waits_or_runs(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "u1").await;
        let job = enqueue(&db, "u1", 1, 0, 1).await;
        let plain = PartRequest::plain(Part::Sentiment);
        assert!(put(&db, job, 10, &plain, 1).await);
        assert!(!put(&db, job, 11, &plain, 2).await, "it waits");
        assert!(put(&db, job, 12, &spanish(), 2).await, "another part");
        let (lease, _) = take(&db, "w", 3).await.unwrap();
        assert!(!put(&db, job, 13, &plain, 4).await, "it runs");
        let mut transaction = db.write().await.unwrap();
        let code = "analysis_refused";
        assert!(
            fail(&mut transaction, &lease, &ResultOrigin::default(), code, 5)
                .await
                .unwrap()
        );
        transaction.commit().await.unwrap();
        assert!(put(&db, job, 14, &plain, 6).await, "it failed");
        assert!(!put(&db, id(77), 15, &plain, 6).await, "no such job");
        let mut connection = db.read().await.unwrap();
        let listed = list(&mut connection, job, Some(1)).await.unwrap();
        let ids: Vec<_> = listed.iter().map(|analysis| analysis.id).collect();
        assert_eq!(ids, [id(14), id(10), id(12)]);
        assert_eq!(listed[1].error.as_deref(), Some(code));
        assert_eq!(list(&mut connection, job, Some(2)).await.unwrap(), []);
        assert_eq!(list(&mut connection, job, None).await.unwrap().len(), 3);
        let states = states(&mut connection, job).await.unwrap();
        assert_eq!(states.len(), 3);
        assert_eq!(states[0].status, AnalysisStatus::Failed);
        assert_eq!(count(&mut connection, job).await.unwrap(), 3);
    });
}

#[apply(each_database!)]
fn parts_of_dead_workers_are_retried_and_finally_given_up(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "u1").await;
        let job = enqueue(&db, "u1", 1, 0, 1).await;
        put(&db, job, 10, &PartRequest::plain(Part::Keywords), 1).await;
        let (lost_lease, _) = take(&db, "w1", 1).await.unwrap();
        assert!(take(&db, "w2", LEASE).await.is_none(), "its lease holds");
        let mut transaction = db.write().await.unwrap();
        assert_eq!(expire_leases(&mut transaction, "w2", 2).await.unwrap(), 0);
        assert_eq!(expire_leases(&mut transaction, "w1", 2).await.unwrap(), 1);
        transaction.commit().await.unwrap();
        let (lease, taken) = take(&db, "w2", 2).await.unwrap();
        assert_eq!(taken.attempts, 2);
        let mut transaction = db.write().await.unwrap();
        let origin = ResultOrigin::default();
        assert!(
            !complete(&mut transaction, &lost_lease, &origin, &outcome(), 3)
                .await
                .unwrap()
        );
        assert!(
            !store_progress(&mut transaction, &lost_lease, 9, progress_at(9.0))
                .await
                .unwrap()
        );
        // The worker was asked to stop, so this claim does not count.
        assert!(
            retry_later(&mut transaction, &lease, 50, true)
                .await
                .unwrap()
        );
        transaction.commit().await.unwrap();
        assert!(take(&db, "w2", 49).await.is_none());
        assert_eq!(take(&db, "w2", 50).await.unwrap().1.attempts, 2);
        let (_, taken) = take(&db, "w2", 60 + LEASE).await.unwrap();
        assert_eq!(taken.attempts, 3);
        let end = 70 + 2 * LEASE;
        let mut transaction = db.write().await.unwrap();
        assert_eq!(
            give_up(&mut transaction, 3, "lost", end)
                .await
                .unwrap()
                .iter()
                .map(|given_up| given_up.job)
                .collect::<Vec<_>>(),
            [job]
        );
        transaction.commit().await.unwrap();
        assert!(take(&db, "w2", end).await.is_none());
        assert_eq!(
            stored_analysis(&db, job, 10).await.error.as_deref(),
            Some("lost")
        );
    });
}

#[apply(each_database!)]
fn only_one_worker_at_a_time_takes_parts_of_a_job(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "u1").await;
        let job = enqueue(&db, "u1", 1, 0, 1).await;
        put(&db, job, 10, &PartRequest::plain(Part::Keywords), 1).await;
        put(&db, job, 11, &PartRequest::plain(Part::Sentiment), 1).await;
        let workers: Vec<_> = (0..8)
            .map(|_| {
                let db = db.clone();
                tokio::spawn(async move { take(&db, "w", 2).await.is_some() })
            })
            .collect();
        let mut claims = 0;
        for worker in workers {
            claims += usize::from(worker.await.unwrap());
        }
        assert_eq!(claims, 1);
    });
}

#[apply(each_database!)]
fn damaged_analyses_do_not_block_others_and_all_go_with_their_job(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "u1").await;
        let job = enqueue(&db, "u1", 1, 0, 1).await;
        put(&db, job, 10, &PartRequest::plain(Part::Keywords), 1).await;
        put(&db, job, 11, &PartRequest::plain(Part::Sentiment), 2).await;
        let mut transaction = db.write().await.unwrap();
        execute(
            &mut transaction,
            "UPDATE analyses SET params = '[' WHERE part = 'keywords'",
        )
        .await;
        transaction.commit().await.unwrap();
        assert_eq!(take(&db, "w", 3).await.unwrap().1.id, id(11));
        let mut transaction = db.write().await.unwrap();
        assert!(!remove(&mut transaction, id(2), id(11)).await.unwrap());
        assert!(remove(&mut transaction, job, id(11)).await.unwrap());
        assert_eq!(count(&mut transaction, job).await.unwrap(), 1);
        assert!(jobs::delete(&mut transaction, "u1", job).await.unwrap());
        assert_eq!(count(&mut transaction, job).await.unwrap(), 0);
        transaction.commit().await.unwrap();
    });
}
