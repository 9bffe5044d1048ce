//! Figures of the whole server on both databases.

use slovo_rules::media::Fault;
use slovo_rules::settings::TranscriptionType;
use slovo_rules::transcript::{Segment, Transcript};

use super::*;
use crate::jobs::queue::Release;
use crate::jobs::tests::{account, claim, enqueue};
use crate::testing::{Backend, apply, each_database, execute, with_database};
use crate::{Database, lifecycle};

const HOUR: i64 = 60 * 60 * 1000;
/// Two hours before midnight UTC at the start of day 2.
const EVENING: i64 = 2 * DAY_MS - 2 * HOUR;

fn utc(from: i64) -> Span {
    Span { from, offset: 0 }
}

/// The UTC offset of Kyiv in summer.
fn east(from: i64) -> Span {
    let offset = 3 * HOUR;
    Span { from, offset }
}

async fn complete(db: &Database, now: i64, text: &str) {
    let (lease, job) = claim(db, "w", now).await.unwrap();
    let transcript = Transcript {
        language: "uk".to_owned(),
        duration: 90.5,
        mode: TranscriptionType::Full,
        model: "m".to_owned(),
        segments: vec![Segment {
            index: 0,
            start: 0.0,
            end: 1.0,
            speaker: None,
            language: None,
            text: text.to_owned(),
            words: Vec::new(),
        }],
        warnings: Vec::new(),
        removed: Vec::new(),
    };
    let mut transaction = db.write().await.unwrap();
    let version = job.version;
    let done =
        lifecycle::complete_job(&mut transaction, &lease, version, &transcript, false, now).await;
    assert!(done.unwrap());
    transaction.commit().await.unwrap();
}

async fn fail(db: &Database, now: i64, code: &str) {
    let (lease, _) = claim(db, "w", now).await.unwrap();
    let mut transaction = db.write().await.unwrap();
    let mut fault = Fault::new(code);
    fault.params.insert("at".to_owned(), now.into());
    let release = Release::Error(fault);
    let done = lifecycle::release_job(&mut transaction, &lease, &release, now).await;
    assert!(done.unwrap());
    transaction.commit().await.unwrap();
}

#[apply(each_database!)]
fn jobs_words_and_waits_are_counted_by_day_in_the_given_time_zone(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "a").await;
        enqueue(&db, "a", 1, 0, EVENING).await;
        complete(&db, EVENING + 1_000, "Слово  до\nслова складається").await;
        enqueue(&db, "a", 2, 0, EVENING).await;
        fail(&db, EVENING + 9_000, "damaged").await;
        enqueue(&db, "a", 3, 0, EVENING + DAY_MS).await;
        let mut connection = db.read().await.unwrap();
        let counted = async |connection: &mut Connection, span| {
            let created = created_jobs(connection, span).await.unwrap();
            created
                .iter()
                .map(|row| (row.day, row.status, row.jobs))
                .collect::<Vec<_>>()
        };
        let expected = |day| {
            [
                (day, JobStatus::Completed, 1),
                (day, JobStatus::Error, 1),
                (day + 1, JobStatus::Pending, 1),
            ]
        };
        assert_eq!(counted(&mut connection, utc(0)).await, expected(1));
        assert_eq!(counted(&mut connection, east(0)).await, expected(2));
        assert_eq!(
            counted(&mut connection, utc(EVENING + 1)).await,
            expected(1)[2..]
        );
        assert_eq!(east(0).day(EVENING), 2);
        assert_eq!(utc(0).day(-1), -1);

        let done = recognised_amounts(&mut connection, east(0)).await.unwrap();
        let expected = RecognisedAmounts {
            day: 2,
            seconds: 90.5,
            words: 4,
        };
        assert_eq!(done, [expected]);
        let expected = WaitTimes {
            day: 1,
            median: 1_000,
            p95: 9_000,
        };
        assert_eq!(
            wait_times(&mut connection, utc(0)).await.unwrap(),
            [expected]
        );
    });
}

#[apply(each_database!)]
fn the_median_and_95th_percentile_of_waits_are_computed(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "a").await;
        for number in 1..=21 {
            let wait = i64::try_from(number).unwrap() * 10;
            enqueue(&db, "a", number, 0, 1_000).await;
            fail(&db, 1_000 + wait, "damaged").await;
        }
        let mut connection = db.read().await.unwrap();
        let expected = WaitTimes {
            day: 0,
            median: 110,
            p95: 200,
        };
        assert_eq!(
            wait_times(&mut connection, utc(0)).await.unwrap(),
            [expected]
        );
        let causes = failures(&mut connection, 0).await.unwrap();
        assert_eq!(causes, BTreeMap::from([("damaged".to_owned(), 21)]));
        assert_eq!(failures(&mut connection, 1_001).await.unwrap().len(), 0);
    });
}

#[apply(each_database!)]
fn the_peak_queue_length_of_each_day_is_computed(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "a").await;
        // Two jobs wait at once on the first day; one of them waits into the third, when two more
        // are created.
        enqueue(&db, "a", 1, 0, 1_000).await;
        enqueue(&db, "a", 2, 0, 2_000).await;
        fail(&db, 3_000, "damaged").await;
        enqueue(&db, "a", 3, 0, 2 * DAY_MS + 1).await;
        enqueue(&db, "a", 4, 0, 2 * DAY_MS + 2).await;
        fail(&db, 2 * DAY_MS + 3, "damaged").await;
        let mut connection = db.read().await.unwrap();
        let days = backlog(&mut connection, utc(0)).await.unwrap();
        let days: Vec<_> = days
            .iter()
            .map(|row| (row.day, row.peak, row.grown))
            .collect();
        assert_eq!(days, [(0, 2, 1), (2, 3, 1)]);
        // Jobs that waited at the start of the period count, unless they were created too long ago.
        let later = backlog(&mut connection, utc(2 * DAY_MS)).await.unwrap();
        assert_eq!(later.last().unwrap().peak, 3);
        let much_later = backlog(&mut connection, utc(30 * DAY_MS)).await.unwrap();
        assert_eq!(much_later, []);
    });
}

#[apply(each_database!)]
fn failures_with_unreadable_causes_are_counted(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "a").await;
        for (number, error) in [(1, "NULL"), (2, "'x'"), (3, "'{\"code\":\"'")] {
            enqueue(&db, "a", number, 0, 1).await;
            fail(&db, 2, "damaged").await;
            let mut transaction = db.write().await.unwrap();
            let damage =
                format!("UPDATE synced_jobs SET error = {error} WHERE my_job_id LIKE '%{number}'");
            execute(&mut transaction, &damage).await;
            transaction.commit().await.unwrap();
        }
        let causes = failures(&mut db.read().await.unwrap(), 0).await.unwrap();
        assert_eq!(causes, BTreeMap::from([(String::new(), 3)]));
    });
}

#[apply(each_database!)]
fn queue_depth_and_totals_are_counted(backend: Backend) {
    with_database(backend, async |db| {
        for id in ["a", "b"] {
            account(&db, id).await;
        }
        let mut connection = db.write().await.unwrap();
        assert_eq!(
            queue_depth(&mut connection).await.unwrap(),
            Depth::default()
        );
        execute(
            &mut connection,
            "UPDATE synced_users SET status = 'blocked' WHERE auth_user_id = 'b'",
        )
        .await;
        connection.commit().await.unwrap();
        for (number, now) in [(1, 10), (2, 20), (3, 30), (4, 40)] {
            enqueue(&db, "a", number, 0, now).await;
        }
        claim(&db, "w", 50).await.unwrap();
        let mut transaction = db.write().await.unwrap();
        execute(
            &mut transaction,
            "UPDATE synced_jobs SET awaits_download = 1 WHERE my_job_id LIKE '%4'",
        )
        .await;
        let expected = Depth {
            waiting: 2,
            running: 1,
            downloads: 1,
            oldest: Some(20),
        };
        assert_eq!(queue_depth(&mut transaction).await.unwrap(), expected);
        let expected = Totals {
            users: 2,
            blocked: 1,
            jobs: 4,
            jobs_today: 1,
            jobs_week: 2,
        };
        assert_eq!(totals(&mut transaction, 40, 30).await.unwrap(), expected);
        let bytes = database_bytes(&mut transaction, db.backend()).await;
        assert!(bytes.unwrap() > 10_000);
    });
}

#[apply(each_database!)]
fn the_landing_page_counts_only_completed_recordings(backend: Backend) {
    use crate::site::figures::{SiteFigures, site_figures};
    with_database(backend, async |db| {
        let figures = async || site_figures(&mut db.read().await.unwrap()).await.unwrap();
        assert_eq!(figures().await, SiteFigures::default());
        account(&db, "a").await;
        for number in 1..=3 {
            enqueue(&db, "a", number, 0, EVENING).await;
        }
        complete(&db, EVENING, "два слова").await;
        complete(&db, EVENING, "три інших слова").await;
        fail(&db, EVENING, "no_speech").await;
        let found = figures().await;
        assert_eq!((found.recordings, found.words), (2, 5));
        assert_eq!(found.milliseconds, 181_000);
    });
}
