//! Voices, their samples and the queue, on both databases.

use super::*;
use crate::Database;
use crate::jobs::tests::{account, enqueue};
use crate::testing::{Backend, apply, each_database, execute, with_database};

const CLAIM: i64 = 60_000;

fn id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

async fn voice(db: &Database, user: &str, number: u128, name: &str) {
    let mut transaction = db.write().await.unwrap();
    insert(&mut transaction, user, id(number), name, 1)
        .await
        .unwrap();
    transaction.commit().await.unwrap();
}

async fn sample(db: &Database, (job, user): (Uuid, &str), voice: u128, number: u128) -> i64 {
    let mut transaction = db.write().await.unwrap();
    let new = NewSample {
        id: id(number),
        voice: id(voice),
        job,
        version: 1,
        speaker: "SPEAKER_0",
        now: 10,
    };
    let count = add_sample(&mut transaction, user, &new).await.unwrap();
    transaction.commit().await.unwrap();
    count
}

async fn take(db: &Database, now: i64) -> Option<Task> {
    let mut transaction = db.write().await.unwrap();
    let task = claim(&mut transaction, db.backend(), now, now + CLAIM)
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    task
}

async fn learn(db: &Database, number: u128, vector: &[f32], now: i64) {
    let mut transaction = db.write().await.unwrap();
    let computed = ComputedSample {
        embedding: "e",
        vector,
        seconds: 8.5,
    };
    finish_sample(&mut transaction, id(number), &computed, now)
        .await
        .unwrap();
    transaction.commit().await.unwrap();
}

async fn only(db: &Database, user: &str) -> Voice {
    let mut connection = db.read().await.unwrap();
    let mut voices = list(&mut connection, user).await.unwrap();
    assert_eq!(voices.len(), 1);
    voices.remove(0)
}

async fn queue(db: &Database, job: Uuid, version: i64, now: i64) {
    let mut transaction = db.write().await.unwrap();
    compare(&mut transaction, job, version, now).await.unwrap();
    transaction.commit().await.unwrap();
}

async fn propose(db: &Database, job: Uuid, version: i64, found: &[(&str, u128, f64)], now: i64) {
    let found: Vec<_> = found
        .iter()
        .map(|(speaker, voice, score)| ((*speaker).to_owned(), id(*voice), *score))
        .collect();
    let mut transaction = db.write().await.unwrap();
    finish_comparison(&mut transaction, job, version, &found, now)
        .await
        .unwrap();
    transaction.commit().await.unwrap();
}

async fn proposed(db: &Database, job: Uuid, version: i64) -> Vec<(String, u128)> {
    let mut connection = db.read().await.unwrap();
    let found = proposals(&mut connection, job, version, "ann")
        .await
        .unwrap();
    let found = found.into_iter();
    found
        .map(|proposal| (proposal.speaker, proposal.voice.as_u128()))
        .collect()
}

#[apply(each_database!)]
fn a_sample_is_claimed_once_and_makes_its_voice_ready(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "ann").await;
        let job = enqueue(&db, "ann", 1, 0, 0).await;
        voice(&db, "ann", 1, "Олена").await;
        assert_eq!(sample(&db, (job, "ann"), 1, 11).await, 1);
        assert_eq!(only(&db, "ann").await.state(), VoiceState::Learning);
        assert!(waiting(&mut db.read().await.unwrap(), 20).await.unwrap());
        let task = take(&db, 20).await.unwrap();
        let expected = TaskKind::Sample {
            id: id(11),
            speaker: "SPEAKER_0".to_owned(),
        };
        assert_eq!((&task.kind, task.job), (&expected, Some(job)));
        assert!(take(&db, 21).await.is_none(), "it is claimed");
        let again = take(&db, 20 + CLAIM).await.unwrap();
        assert_eq!(again.attempts, 2, "its worker died");
        learn(&db, 11, &[0.6, 0.8], 30).await;
        learn(&db, 11, &[1.0, 0.0], 31).await;
        let ready = only(&db, "ann").await;
        assert_eq!(ready.state(), VoiceState::Ready);
        assert_eq!((ready.seconds, ready.recordings), (8.5, 1));
        let mut connection = db.read().await.unwrap();
        let samples = of_account(&mut connection, "ann").await.unwrap();
        assert_eq!(samples[0].vector, [0.6, 0.8], "the first result stays");
        let remembered = of_text(&mut connection, job, 1, "ann").await.unwrap();
        assert_eq!(remembered[0].state(), VoiceState::Ready);
        assert!(!waiting(&mut connection, i64::MAX).await.unwrap());
    });
}

#[apply(each_database!)]
fn a_failed_sample_says_why_and_can_be_replaced(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "ann").await;
        let job = enqueue(&db, "ann", 1, 0, 0).await;
        voice(&db, "ann", 1, "Олена").await;
        sample(&db, (job, "ann"), 1, 11).await;
        let task = take(&db, 20).await.unwrap();
        let mut transaction = db.write().await.unwrap();
        fail(&mut transaction, &task, "too_little_speech", 21)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        let failed = only(&db, "ann").await;
        assert_eq!(failed.state(), VoiceState::Failed);
        assert_eq!(failed.error.as_deref(), Some("too_little_speech"));
        let count = sample(&db, (job, "ann"), 1, 12).await;
        assert_eq!(count, 1, "it replaces that of the same speaker");
        assert_eq!(only(&db, "ann").await.state(), VoiceState::Learning);
        let other = enqueue(&db, "ann", 2, 0, 0).await;
        sample(&db, (other, "ann"), 1, 13).await;
        let task = take(&db, 30).await.unwrap();
        let mut transaction = db.write().await.unwrap();
        fail(&mut transaction, &task, "recognition_failed", 31)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        let failed = only(&db, "ann").await;
        assert_eq!(failed.error.as_deref(), Some("recognition_failed"));
        let task = take(&db, 32).await.unwrap();
        let TaskKind::Sample { id, .. } = task.kind else {
            panic!("{task:?}");
        };
        learn(&db, id.as_u128(), &[1.0], 40).await;
        let ready = only(&db, "ann").await;
        assert_eq!((ready.state(), ready.error), (VoiceState::Ready, None));
    });
}

#[apply(each_database!)]
fn a_voice_outlives_its_recordings_but_not_its_account(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "ann").await;
        let job = enqueue(&db, "ann", 1, 0, 0).await;
        voice(&db, "ann", 1, "Олена").await;
        sample(&db, (job, "ann"), 1, 11).await;
        learn(&db, 11, &[1.0], 20).await;
        let mut transaction = db.write().await.unwrap();
        execute(&mut transaction, "DELETE FROM synced_jobs").await;
        transaction.commit().await.unwrap();
        let kept = only(&db, "ann").await;
        assert_eq!((kept.state(), kept.recordings), (VoiceState::Ready, 1));
        let mut connection = db.read().await.unwrap();
        assert_eq!(
            of_account(&mut connection, "ann").await.unwrap()[0].job,
            None
        );
        drop(connection);
        let mut transaction = db.write().await.unwrap();
        execute(&mut transaction, "DELETE FROM accounts").await;
        transaction.commit().await.unwrap();
        let mut connection = db.read().await.unwrap();
        assert_eq!(of_account(&mut connection, "ann").await.unwrap(), []);
        assert_eq!(list(&mut connection, "ann").await.unwrap(), []);
    });
}

#[apply(each_database!)]
fn voices_of_others_cannot_be_changed_and_merging_moves_samples(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "ann").await;
        account(&db, "bob").await;
        let job = enqueue(&db, "ann", 1, 0, 0).await;
        let other = enqueue(&db, "ann", 2, 0, 0).await;
        voice(&db, "ann", 1, "Олена").await;
        voice(&db, "ann", 2, "Олена К.").await;
        sample(&db, (job, "ann"), 1, 11).await;
        sample(&db, (other, "ann"), 2, 12).await;
        learn(&db, 11, &[1.0], 20).await;
        learn(&db, 12, &[1.0], 20).await;
        queue(&db, job, 1, 30).await;
        propose(&db, job, 1, &[("SPEAKER_1", 1, 0.9)], 31).await;
        let mut transaction = db.write().await.unwrap();
        let t = &mut transaction;
        assert!(!rename(t, "bob", id(1), "x", 40).await.unwrap());
        assert!(!delete(t, "bob", id(1)).await.unwrap());
        assert!(find(t, "bob", id(1)).await.unwrap().is_none());
        assert!(rename(t, "ann", id(2), "Олена Коваль", 40).await.unwrap());
        merge(t, "ann", id(1), id(2), 41).await.unwrap();
        transaction.commit().await.unwrap();
        let merged = only(&db, "ann").await;
        assert_eq!(merged.name, "Олена Коваль");
        assert_eq!((merged.recordings, merged.seconds), (2, 17.0));
        assert_eq!(merged.updated_at, 41);
        assert_eq!(proposed(&db, job, 1).await, [("SPEAKER_1".to_owned(), 2)]);
        let mut transaction = db.write().await.unwrap();
        assert!(delete(&mut transaction, "ann", id(2)).await.unwrap());
        transaction.commit().await.unwrap();
        assert_eq!(proposed(&db, job, 1).await, [], "deleted with its voice");
        let mut connection = db.read().await.unwrap();
        assert_eq!(of_account(&mut connection, "ann").await.unwrap(), []);
    });
}

#[apply(each_database!)]
fn a_text_is_compared_once_and_again_when_asked(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "ann").await;
        let job = enqueue(&db, "ann", 1, 0, 0).await;
        let mut transaction = db.write().await.unwrap();
        compare_with_any(&mut transaction, job, 1, 5).await.unwrap();
        transaction.commit().await.unwrap();
        assert!(take(&db, 6).await.is_none(), "the account has no voice");
        voice(&db, "ann", 1, "Олена").await;
        sample(&db, (job, "ann"), 1, 11).await;
        learn(&db, 11, &[1.0], 12).await;
        queue(&db, job, 1, 20).await;
        let task = take(&db, 21).await.unwrap();
        assert_eq!((task.kind, task.job), (TaskKind::Comparison, Some(job)));
        queue(&db, job, 1, 22).await;
        assert!(take(&db, 23).await.is_none(), "it is already running");
        propose(&db, job, 2, &[("SPEAKER_0", 1, 0.9)], 24).await;
        assert_eq!(proposed(&db, job, 2).await, [], "it is about version 1");
        let found = [("SPEAKER_0", 1, 0.9), ("SPEAKER_1", 7, 0.8)];
        propose(&db, job, 1, &found, 25).await;
        assert_eq!(
            proposed(&db, job, 1).await,
            [("SPEAKER_0".to_owned(), 1)],
            "there is no voice 7"
        );
        let state = async || {
            let mut connection = db.read().await.unwrap();
            comparison(&mut connection, job).await.unwrap().unwrap()
        };
        assert!(state().await.ended && !state().await.outdated);
        let mut transaction = db.write().await.unwrap();
        decline(&mut transaction, job, 1, "SPEAKER_0")
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        queue(&db, job, 1, 30).await;
        assert!(!state().await.ended);
        assert!(take(&db, 31).await.is_some());
        propose(&db, job, 1, &[("SPEAKER_0", 1, 0.9)], 32).await;
        assert_eq!(proposed(&db, job, 1).await, [], "it stays declined");
        sample(&db, (job, "ann"), 1, 13).await;
        learn(&db, 13, &[1.0], 40).await;
        assert!(state().await.outdated);
    });
}
