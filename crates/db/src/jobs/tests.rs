//! The queue on both databases: order, fairness, leases, and recovery from dead workers.

use slovo_rules::Valid;
use slovo_rules::job::{JobStatus, Stage};
use slovo_rules::media::Fault;
use slovo_rules::settings::TranscriptionType;
use slovo_rules::transcript::{Segment, Transcript};
use uuid::Uuid;

use crate::accounts::{self, NewAccount};
use crate::core::lease::Claim;
use crate::jobs::queue::{self, AGEING_STEP_MS, Lease, Line, MAX_ATTEMPTS, Progress, Release};
use crate::jobs::{self, NewJob, stages};
use crate::testing::{Backend, apply, each_database, with_database};
use crate::texts::{recognition, transcripts};
use crate::{Connection, Database, lifecycle};

const LEASE: i64 = 30_000;

pub async fn account(db: &Database, id: &str) {
    let mut transaction = db.write().await.unwrap();
    let email = format!("{id}@example.com");
    let synced = format!("s-{id}");
    let new = NewAccount {
        id,
        synced_user_id: &synced,
        email: &email,
        password_hash: Some("-"),
        created_at: 0,
    };
    accounts::insert(&mut transaction, &new).await.unwrap();
    transaction.commit().await.unwrap();
}

/// Removes a job from the search, whose rows refer to it, so that its id can be damaged.
pub async fn unindexed(connection: &mut Connection, id: Uuid) {
    for statement in [
        "DELETE FROM search_documents WHERE my_job_id = $1",
        "DELETE FROM job_names WHERE my_job_id = $1",
    ] {
        sqlx::query(statement)
            .bind(id.to_string())
            .execute(&mut *connection)
            .await
            .unwrap();
    }
}

/// A job with this number as id.
fn new_job(user: &str, number: u128, priority: i64, now: i64) -> NewJob {
    NewJob {
        id: Uuid::from_u128(number),
        user_id: user.to_owned(),
        media_id: Uuid::from_u128(number + (1 << 64)),
        original_filename: "a.wav".to_owned(),
        content_type: "audio/wav".to_owned(),
        file_size: 1,
        has_video: false,
        duration: Some(1.0),
        plan: Valid::default(),
        audio_track: None,
        priority,
        now,
    }
}

/// Puts a job with this number as id into the queue.
pub async fn enqueue(db: &Database, user: &str, number: u128, priority: i64, now: i64) -> Uuid {
    let job = new_job(user, number, priority, now);
    let mut transaction = db.write().await.unwrap();
    lifecycle::create_job(&mut transaction, &job).await.unwrap();
    transaction.commit().await.unwrap();
    job.id
}

pub async fn claim(db: &Database, owner: &str, now: i64) -> Option<(Lease, jobs::Job)> {
    let mut transaction = db.write().await.unwrap();
    let claim = Claim {
        lease_id: Uuid::new_v4().to_string(),
        owner,
        now,
        until: now + LEASE,
    };
    let claimed = queue::claim(&mut transaction, db.backend(), Line::Recognition, &claim)
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    claimed
}

/// Claims a job, ends it at once, and returns its number.
async fn serve(db: &Database, now: i64) -> Option<u128> {
    let (lease, job) = claim(db, "w", now).await?;
    let mut transaction = db.write().await.unwrap();
    let release = Release::Error(Fault::new("done"));
    assert!(
        lifecycle::release_job(&mut transaction, &lease, &release, now)
            .await
            .unwrap()
    );
    transaction.commit().await.unwrap();
    Some(job.id.as_u128())
}

#[apply(each_database!)]
fn users_take_turns(backend: Backend) {
    with_database(backend, async |db| {
        for user in ["a", "b", "c"] {
            account(&db, user).await;
        }
        for number in 1..=4 {
            enqueue(&db, "a", number, 0, 100).await;
        }
        enqueue(&db, "b", 11, 0, 200).await;
        enqueue(&db, "b", 12, 0, 200).await;
        enqueue(&db, "c", 21, 0, 300).await;
        let mut order = Vec::new();
        for now in 1000.. {
            let Some(number) = serve(&db, now).await else {
                break;
            };
            order.push(number);
        }
        assert_eq!(order, [1, 11, 21, 2, 12, 3, 4]);
    });
}

#[apply(each_database!)]
fn paid_jobs_come_first_but_free_jobs_do_not_starve(backend: Backend) {
    with_database(backend, async |db| {
        for user in ["free", "paid"] {
            account(&db, user).await;
        }
        let free = enqueue(&db, "free", 1, 0, 0).await.as_u128();
        // A paid job arrives every minute, and one job is served every minute.
        let mut served = Vec::new();
        for minute in 0..40_u32 {
            let now = i64::from(minute) * 60_000;
            enqueue(&db, "paid", 100 + u128::from(minute), 2, now).await;
            served.push(serve(&db, now).await.unwrap());
        }
        assert_eq!(served[0], 100, "the paid one first");
        let turn = served.iter().position(|number| *number == free);
        let turn = i64::try_from(turn.expect("the free one was served")).unwrap();
        let after = turn * 60_000;
        assert!(
            (2 * AGEING_STEP_MS..=3 * AGEING_STEP_MS).contains(&after),
            "minute {turn}"
        );
    });
}

#[apply(each_database!)]
fn each_job_is_claimed_by_one_worker(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "a").await;
        for number in 1..=8 {
            enqueue(&db, "a", number, 0, 0).await;
        }
        let claims = (0..16).map(|worker| {
            let db = db.clone();
            tokio::spawn(async move { claim(&db, &format!("w{worker}"), 10).await.map(|c| c.1.id) })
        });
        let mut ids = Vec::new();
        for claimed in claims.collect::<Vec<_>>() {
            ids.extend(claimed.await.unwrap());
        }
        // Concurrent claims may find nothing; a later claim finds the rest.
        while let Some((_, job)) = claim(&db, "late", 10).await {
            ids.push(job.id);
        }
        ids.sort_unstable();
        assert_eq!(ids, (1..=8).map(Uuid::from_u128).collect::<Vec<_>>());
    });
}

#[apply(each_database!)]
fn nothing_is_written_with_a_lost_lease(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "a").await;
        let id = enqueue(&db, "a", 1, 0, 0).await;
        let (old, job) = claim(&db, "one", 0).await.unwrap();
        assert_eq!(
            (job.status, job.attempts, job.started_at),
            (JobStatus::Processing, 1, Some(0))
        );
        assert!(
            claim(&db, "two", LEASE - 1).await.is_none(),
            "the lease holds"
        );
        let (new, job) = claim(&db, "two", LEASE).await.unwrap();
        assert_eq!((job.id, job.attempts, job.started_at), (id, 2, Some(0)));
        let mut transaction = db.write().await.unwrap();
        let progress = Progress {
            stage: Stage::Transcribing,
            percent: 5.0,
            seconds_left: None,
        };
        assert!(
            !queue::renew(&mut transaction, &old, 99_999, &progress)
                .await
                .unwrap()
        );
        assert!(
            !stages::save_chunk(&mut transaction, &old, 1, 0, &"chunk")
                .await
                .unwrap()
        );
        assert!(
            !recognition::save_segments(&mut transaction, &old, 1, &[])
                .await
                .unwrap()
        );
        let failed = Release::Failed(Fault::new("x"));
        assert!(
            !lifecycle::release_job(&mut transaction, &old, &failed, 1)
                .await
                .unwrap()
        );
        assert!(
            queue::renew(&mut transaction, &new, 99_999, &progress)
                .await
                .unwrap()
        );
        assert!(
            stages::save_chunk(&mut transaction, &new, 1, 0, &"chunk")
                .await
                .unwrap()
        );
        transaction.commit().await.unwrap();
        let mut connection = db.read().await.unwrap();
        let job = jobs::find(&mut connection, "a", id).await.unwrap().unwrap();
        assert_eq!(
            (job.percent, job.attempts),
            (5.0, 0),
            "a finished window forgets the attempts"
        );
        drop(connection);
        let mut transaction = db.write().await.unwrap();
        assert!(jobs::cancel(&mut transaction, "a", id, 5).await.unwrap());
        assert!(
            !stages::save_chunk(&mut transaction, &new, 1, 1, &"late")
                .await
                .unwrap()
        );
        transaction.commit().await.unwrap();
    });
}

#[apply(each_database!)]
fn jobs_of_dead_workers_are_retried_and_finally_given_up(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "a").await;
        let id = enqueue(&db, "a", 1, 0, 0).await;
        for attempt in 1..=MAX_ATTEMPTS {
            let now = attempt * 100;
            let (_, job) = claim(&db, "mortal", now).await.unwrap();
            assert_eq!(job.attempts, attempt);
            assert!(claim(&db, "other", now + 1).await.is_none());
            let mut transaction = db.write().await.unwrap();
            let given_up =
                lifecycle::give_up_jobs(&mut transaction, &Fault::new("lost"), now + 1).await;
            assert!(given_up.unwrap().is_empty());
            assert_eq!(
                queue::expire_leases(&mut transaction, "other", now + 1)
                    .await
                    .unwrap(),
                0
            );
            assert_eq!(
                queue::expire_leases(&mut transaction, "mortal", now + 1)
                    .await
                    .unwrap(),
                1
            );
            transaction.commit().await.unwrap();
        }
        let mut transaction = db.write().await.unwrap();
        assert_eq!(
            lifecycle::give_up_jobs(&mut transaction, &Fault::new("lost"), 9_000)
                .await
                .unwrap(),
            [id]
        );
        let job = jobs::find(&mut transaction, "a", id)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(
            (job.status, job.error),
            (JobStatus::Failed, Some(Fault::new("lost")))
        );
        transaction.commit().await.unwrap();
        assert!(claim(&db, "other", 10_000).await.is_none());
    });
}

#[apply(each_database!)]
fn a_returned_job_waits_and_a_stop_does_not_count_as_an_attempt(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "a").await;
        enqueue(&db, "a", 1, 0, 0).await;
        let (lease, _) = claim(&db, "w", 0).await.unwrap();
        let mut transaction = db.write().await.unwrap();
        let later = Release::Requeue {
            run_after: 5_000,
            forgive: false,
        };
        assert!(
            lifecycle::release_job(&mut transaction, &lease, &later, 0)
                .await
                .unwrap()
        );
        assert!(
            !queue::any_waiting(&mut transaction, Line::Recognition, 4_999)
                .await
                .unwrap()
        );
        assert!(
            queue::any_waiting(&mut transaction, Line::Recognition, 5_000)
                .await
                .unwrap()
        );
        transaction.commit().await.unwrap();
        assert!(claim(&db, "w", 4_999).await.is_none());
        let (lease, job) = claim(&db, "w", 5_000).await.unwrap();
        assert_eq!(job.attempts, 2);
        let mut transaction = db.write().await.unwrap();
        let stop = Release::Requeue {
            run_after: 5_000,
            forgive: true,
        };
        assert!(
            lifecycle::release_job(&mut transaction, &lease, &stop, 0)
                .await
                .unwrap()
        );
        transaction.commit().await.unwrap();
        assert_eq!(claim(&db, "w", 5_000).await.unwrap().1.attempts, 2);
    });
}

#[apply(each_database!)]
fn null_and_number_parameters_alternate_on_one_connection(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "a").await;
        let mut transaction = db.write().await.unwrap();
        for (number, duration) in [(1, None), (2, Some(1.5)), (3, None)] {
            let job = NewJob {
                duration,
                ..new_job("a", number, 0, 0)
            };
            lifecycle::create_job(&mut transaction, &job).await.unwrap();
        }
        transaction.commit().await.unwrap();
        let (lease, _) = claim(&db, "w", 0).await.unwrap();
        let mut transaction = db.write().await.unwrap();
        for seconds_left in [None, Some(12.5), None] {
            let progress = Progress {
                stage: Stage::Transcribing,
                percent: 5.0,
                seconds_left,
            };
            let renewed = queue::renew(&mut transaction, &lease, 1, &progress).await;
            assert!(renewed.unwrap());
        }
        for duration in [None, Some(2.5), None] {
            let stored = stages::set_probed(&mut transaction, &lease, duration, "m").await;
            assert!(stored.unwrap());
        }
        let job = jobs::find(&mut transaction, "a", lease.job_id).await;
        assert_eq!(job.unwrap().unwrap().duration, Some(2.5));
    });
}

#[apply(each_database!)]
fn stored_chunks_are_reused_by_a_later_version_with_equal_input(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "a").await;
        let id = enqueue(&db, "a", 1, 0, 0).await;
        let (lease, _) = claim(&db, "w", 0).await.unwrap();
        let empty = Transcript {
            language: "en".to_owned(),
            duration: 1.0,
            mode: TranscriptionType::Full,
            model: "m".to_owned(),
            segments: Vec::new(),
            warnings: Vec::new(),
            removed: Vec::new(),
        };
        let mut transaction = db.write().await.unwrap();
        let (stage, digest) = (Stage::Transcribing, "made from this");
        stages::begin(&mut transaction, &lease, 1, stage, digest, 1)
            .await
            .unwrap();
        for chunk in 0..3 {
            stages::save_chunk(&mut transaction, &lease, 1, chunk, &chunk)
                .await
                .unwrap();
        }
        stages::finish(&mut transaction, &lease, 1, stage, &"done", 2)
            .await
            .unwrap();
        let completed = lifecycle::complete_job(&mut transaction, &lease, 1, &empty, true, 3).await;
        assert!(completed.unwrap());
        transaction.commit().await.unwrap();
        let mut connection = db.read().await.unwrap();
        let earlier = async |connection: &mut Connection, version, digest| {
            let found = stages::earlier_chunks::<i64>(connection, id, version, digest);
            found.await.unwrap()
        };
        assert_eq!(earlier(&mut connection, 2, digest).await, [0, 1, 2]);
        let none: [i64; 0] = [];
        assert_eq!(earlier(&mut connection, 2, "from that").await, none);
        assert_eq!(earlier(&mut connection, 1, digest).await, none, "its own");
    });
}

#[apply(each_database!)]
fn a_finished_version_is_never_changed(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "a").await;
        let id = enqueue(&db, "a", 1, 0, 0).await;
        let transcript = |text: &str| Transcript {
            language: "en".to_owned(),
            duration: 1.0,
            mode: TranscriptionType::Full,
            model: "m".to_owned(),
            segments: (0..1200)
                .map(|index| Segment {
                    index,
                    start: f64::from(index),
                    end: f64::from(index) + 0.5,
                    speaker: None,
                    language: None,
                    text: format!("{text} {index}"),
                    words: Vec::new(),
                })
                .collect(),
            warnings: Vec::new(),
            removed: Vec::new(),
        };
        let (lease, _) = claim(&db, "w", 0).await.unwrap();
        let first = transcript("first");
        let mut transaction = db.write().await.unwrap();
        recognition::save_segments(&mut transaction, &lease, 1, &first.segments[..700])
            .await
            .unwrap();
        assert!(
            lifecycle::complete_job(&mut transaction, &lease, 1, &first, false, 9)
                .await
                .unwrap()
        );
        transaction.commit().await.unwrap();
        let mut transaction = db.write().await.unwrap();
        assert!(jobs::retry(&mut transaction, "a", id, 10).await.unwrap());
        transaction.commit().await.unwrap();
        let (lease, job) = claim(&db, "w", 20).await.unwrap();
        assert_eq!(job.version, 2);
        let second = transcript("second");
        let mut transaction = db.write().await.unwrap();
        assert_eq!(
            transcripts::latest(&mut transaction, id)
                .await
                .unwrap()
                .unwrap(),
            first
        );
        let finished = recognition::discard(&mut transaction, &lease, 1).await;
        assert!(!finished.unwrap(), "it is finished");
        let current = recognition::discard(&mut transaction, &lease, 2).await;
        assert!(current.unwrap());
        assert!(
            lifecycle::complete_job(&mut transaction, &lease, 2, &second, false, 30)
                .await
                .unwrap()
        );
        transaction.commit().await.unwrap();
        let mut connection = db.read().await.unwrap();
        assert_eq!(
            transcripts::versions(&mut connection, id).await.unwrap(),
            [1, 2]
        );
        assert_eq!(
            transcripts::latest(&mut connection, id)
                .await
                .unwrap()
                .unwrap(),
            second
        );
        let stored = transcripts::segments(&mut connection, id, 1, 0)
            .await
            .unwrap();
        assert_eq!(stored, first.segments);
    });
}
