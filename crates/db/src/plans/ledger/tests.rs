//! The ledger always adds up: with concurrent changes, in any order, and interrupted at any moment.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use slovo_rules::job::JobStatus;
use slovo_rules::plan::{PlanFeature, PlanForm, QueueSpeed, validate};
use slovo_rules::violation::Code;
use sqlx::Row;
use tokio::task::JoinSet;
use uuid::Uuid;

use super::*;
use crate::core::fields::word;
use crate::jobs::tests::{account, enqueue};
use crate::testing::{Backend, apply, each_database, with_database};
use crate::texts::transcripts;
use crate::{Database, plans};

mod entries;

/// 2026-03-01T12:00:00Z.
const NOW: i64 = 1_772_366_400_000;
const DAY: i64 = 24 * 3600 * 1000;
const PLAN: Uuid = Uuid::from_u128(77);

fn form(minutes: Option<f64>) -> PlanForm {
    PlanForm {
        name: "Професійний".to_owned(),
        monthly_minutes_limit: minutes,
        max_file_duration_minutes: Some(60.0),
        features: vec![PlanFeature::Diarization],
        queue_speed: QueueSpeed::Fast,
        ..PlanForm::default()
    }
}

/// A user whose plan has this many minutes.
async fn user(db: &Database, minutes: Option<f64>) {
    account(db, "a").await;
    let mut transaction = db.write().await.unwrap();
    let form = validate(&form(minutes)).unwrap();
    plans::insert(&mut transaction, PLAN, &form, NOW)
        .await
        .unwrap();
    let plan = plans::get(&mut transaction, PLAN).await.unwrap().unwrap();
    assert!(
        change_plan(&mut transaction, "a", Some(&plan), NOW)
            .await
            .unwrap()
    );
    transaction.commit().await.unwrap();
}

fn needed(job: u128, seconds: Option<f64>, now: i64) -> RequiredMinutes<'static> {
    RequiredMinutes {
        user_id: "a",
        job_id: Uuid::from_u128(job),
        version: 1,
        name: "a.wav",
        duration: seconds,
        now,
    }
}

async fn set_status(connection: &mut Connection, job: u128, status: JobStatus, seconds: f64) {
    sqlx::query("UPDATE synced_jobs SET status = $2, duration = $3 WHERE my_job_id = $1")
        .bind(Uuid::from_u128(job).to_string())
        .bind(word(&status))
        .bind(seconds)
        .execute(connection)
        .await
        .unwrap();
}

/// Sums over the three tables, in hundredths: used minus bonus, the changes in the history, and the
/// open runs.
async fn sums(connection: &mut Connection) -> (i64, i64, i64) {
    let row = sqlx::query(
        "SELECT u.minutes_used_current_month - u.minutes_bonus AS taken, \
         (SELECT CAST(COALESCE(SUM(h.change_amount_minutes), 0) AS BIGINT) \
         FROM synced_usage_history h WHERE h.user_id = u.user_id) AS changes, \
         (SELECT CAST(COALESCE(SUM(m.minutes), 0) AS BIGINT) FROM job_minutes m \
         WHERE m.is_open = 1) AS opened FROM synced_user_usage u",
    )
    .fetch_one(connection)
    .await
    .unwrap();
    (row.get("taken"), row.get("changes"), row.get("opened"))
}

async fn assert_adds_up(db: &Database) {
    let (used, changes, _) = sums(&mut db.read().await.unwrap()).await;
    assert_eq!(used, -changes);
}

#[apply(each_database!)]
fn minutes_of_a_job_are_reserved_settled_and_refunded(backend: Backend) {
    with_database(backend, async |db| {
        user(&db, Some(10.0)).await;
        for job in 1..=3 {
            enqueue(&db, "a", job, 1, NOW).await;
        }
        let mut transaction = db.write().await.unwrap();
        let balance = reserve(&mut transaction, &needed(1, Some(240.0), NOW)).await;
        let balance = balance.unwrap().unwrap();
        assert_eq!((balance.limit(), balance.priority()), (Some(10.0), 1));
        assert!(balance.has(PlanFeature::Diarization) && !balance.has(PlanFeature::Api));
        // The same run is not reserved twice.
        let again = reserve(&mut transaction, &needed(1, Some(240.0), NOW)).await;
        again.unwrap().unwrap();
        reserve(&mut transaction, &needed(2, None, NOW))
            .await
            .unwrap()
            .unwrap();
        let refused = reserve(&mut transaction, &needed(3, Some(361.0), NOW)).await;
        assert_eq!(refused.unwrap().unwrap_err().code, Code::MinutesExceeded);
        let refused = reserve(&mut transaction, &needed(3, Some(3601.0), NOW)).await;
        assert_eq!(refused.unwrap().unwrap_err().code, Code::DurationOverPlan);
        // The second recording turns out longer than what is left, then shorter.
        let refused = resize(&mut transaction, &needed(2, Some(361.0), NOW)).await;
        assert_eq!(refused.unwrap().unwrap_err().code, Code::MinutesExceeded);
        resize(&mut transaction, &needed(2, Some(360.0), NOW))
            .await
            .unwrap()
            .unwrap();
        let balance = read_balance(&mut transaction, "a", NOW).await.unwrap();
        assert_eq!((balance.used, balance.reserved), (10.0, 10.0));
        // Nothing is left, not even for a recording of unknown length.
        let refused = reserve(&mut transaction, &needed(3, None, NOW)).await;
        assert_eq!(refused.unwrap().unwrap_err().code, Code::MinutesExceeded);

        close(&mut transaction, Uuid::from_u128(1), NOW)
            .await
            .unwrap();
        let balance = read_balance(&mut transaction, "a", NOW).await.unwrap();
        assert_eq!(balance.reserved, 10.0);
        set_status(&mut transaction, 1, JobStatus::Completed, 243.0).await;
        close(&mut transaction, Uuid::from_u128(1), NOW)
            .await
            .unwrap();
        close(&mut transaction, Uuid::from_u128(1), NOW)
            .await
            .unwrap();
        set_status(&mut transaction, 2, JobStatus::Failed, 1.0).await;
        assert_eq!(close_ended(&mut transaction, NOW).await.unwrap(), 1);
        assert_eq!(close_ended(&mut transaction, NOW).await.unwrap(), 0);
        adjust(&mut transaction, "a", 150, "Подарунок", NOW)
            .await
            .unwrap();
        let balance = read_balance(&mut transaction, "a", NOW).await.unwrap();
        assert_eq!((balance.used, balance.reserved), (4.05, 0.0));
        assert_eq!((balance.bonus, balance.limit()), (1.5, Some(11.5)));

        let entries = list(&mut transaction, "a", None, 9).await.unwrap();
        let actual: Vec<_> = entries.iter().map(|e| (e.kind, e.minutes)).collect();
        let expected = [
            (UsageChange::Adjust, 1.5),
            (UsageChange::Refund, 6.0),
            (UsageChange::Settle, -0.05),
            (UsageChange::Reserve, -6.0),
            (UsageChange::Reserve, -4.0),
            (UsageChange::Plan, 0.0),
        ];
        assert_eq!(actual, expected);
        assert_eq!(entries[0].description, "Подарунок");
        assert_eq!(entries[1].job_id, Some(Uuid::from_u128(2)));
        let rest = list(&mut transaction, "a", Some(entries[4].number), 9).await;
        assert_eq!(rest.unwrap(), entries[5..]);
        let days = by_day(&mut transaction, "a", NOW - DAY).await.unwrap();
        let day = Day {
            day: 1,
            minutes: 4.05,
            jobs: 2,
        };
        assert_eq!(days, [day]);
        transaction.commit().await.unwrap();
        assert_adds_up(&db).await;
    });
}

/// A transcript with this many words as the result of the job's first run.
async fn set_text(connection: &mut Connection, job: u128, words: i64) {
    sqlx::query(
        "INSERT INTO synced_output (my_job_id, version, full_text, language, mode, model, \
         audio_duration, warnings, created_at, words, settings) \
         SELECT my_job_id, 1, '', 'uk', 'full', 'm', 1, '[]', $2, $3, input_settings \
         FROM synced_jobs WHERE my_job_id = $1",
    )
    .bind(Uuid::from_u128(job).to_string())
    .bind(NOW)
    .bind(words)
    .execute(connection)
    .await
    .unwrap();
}

#[apply(each_database!)]
fn a_new_month_carries_over_only_running_jobs(backend: Backend) {
    with_database(backend, async |db| {
        user(&db, Some(10.0)).await;
        for job in 1..=3 {
            enqueue(&db, "a", job, 1, NOW).await;
        }
        let mut transaction = db.write().await.unwrap();
        for job in 1..=2 {
            let reserved = reserve(&mut transaction, &needed(job, Some(180.0), NOW)).await;
            reserved.unwrap().unwrap();
        }
        set_status(&mut transaction, 1, JobStatus::Completed, 180.0).await;
        close(&mut transaction, Uuid::from_u128(1), NOW)
            .await
            .unwrap();
        adjust(&mut transaction, "a", 500, "x", NOW).await.unwrap();
        let april = NOW + 31 * DAY;
        let balance = read_balance(&mut transaction, "a", april).await.unwrap();
        assert_eq!((balance.used, balance.bonus), (3.0, 0.0));
        let opened = lock_balance(&mut transaction, "a", april).await.unwrap();
        assert_eq!(opened, balance);
        assert_eq!(
            read_balance(&mut transaction, "a", april).await.unwrap(),
            balance
        );
        let refused = reserve(&mut transaction, &needed(3, Some(421.0), april)).await;
        assert!(refused.unwrap().is_err());
        reserve(&mut transaction, &needed(3, Some(420.0), april))
            .await
            .unwrap()
            .unwrap();
        transaction.commit().await.unwrap();
        assert_adds_up(&db).await;
    });
}

#[apply(each_database!)]
fn without_a_plan_the_server_settings_apply(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "a").await;
        enqueue(&db, "a", 1, 0, NOW).await;
        let mut transaction = db.write().await.unwrap();
        let balance = read_balance(&mut transaction, "a", NOW).await.unwrap();
        assert_eq!((balance.limit(), balance.longest), (None, None));
        assert_eq!(balance.features, PlanFeature::ALL);
        let long = needed(1, Some(1e7), NOW);
        assert!(reserve(&mut transaction, &long).await.unwrap().is_ok());
        let demo = DemoPlan {
            monthly_minutes_limit: Some(5.0),
            max_file_duration_minutes: Some(2.0),
            features: Vec::new(),
        };
        server_settings::set(&mut transaction, DEMO, &demo, NOW)
            .await
            .unwrap();
        let refused = resize(&mut transaction, &needed(1, Some(2e7), NOW)).await;
        assert_eq!(refused.unwrap().unwrap_err().code, Code::DurationOverPlan);
        let balance = read_balance(&mut transaction, "a", NOW).await.unwrap();
        assert_eq!((balance.limit(), balance.longest), (Some(5.0), Some(2.0)));
        assert!(!balance.has(PlanFeature::Realtime));
    });
}

#[apply(each_database!)]
fn concurrent_reservations_never_exceed_the_limit(backend: Backend) {
    with_database(backend, async |db| {
        user(&db, Some(120.0)).await;
        for job in 1..=200 {
            enqueue(&db, "a", job, 1, NOW).await;
        }
        let mut tasks = JoinSet::new();
        for job in 1..=200 {
            let db = db.clone();
            tasks.spawn(async move {
                let mut transaction = db.write().await.unwrap();
                let reserved = reserve(&mut transaction, &needed(job, Some(60.0), NOW)).await;
                let reserved = reserved.unwrap().is_ok();
                transaction.commit().await.unwrap();
                reserved
            });
        }
        let reserved = tasks.join_all().await;
        assert_eq!(reserved.iter().filter(|reserved| **reserved).count(), 120);
        let balance = read_balance(&mut db.read().await.unwrap(), "a", NOW).await;
        assert_eq!(balance.unwrap().used, 120.0);
        assert_adds_up(&db).await;
    });
}

/// Pseudorandom numbers with a fixed seed.
struct Rng(u64);

impl Rng {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

/// A random step, which may be interrupted before its commit.
async fn step(db: &Database, dice: &mut Rng, jobs: &AtomicU64, clock: &AtomicI64) {
    let now = clock.fetch_add(
        i64::try_from(dice.roll(40)).unwrap() * 3_600_000 / 10,
        Ordering::SeqCst,
    );
    let known = jobs.load(Ordering::SeqCst).max(1);
    let job = u128::from(1 + dice.roll(known));
    let seconds = 1.0 + dice.roll(600) as f64;
    let action = dice.roll(8);
    if action < 3 {
        let number = u128::from(jobs.fetch_add(1, Ordering::SeqCst) + 1);
        enqueue(db, "a", number, 1, now).await;
        let mut transaction = db.write().await.unwrap();
        let length = Some(seconds).filter(|_| dice.roll(4) > 0);
        let reserved = reserve(&mut transaction, &needed(number, length, now)).await;
        if reserved.unwrap().is_err() {
            // Jobs must be locked before balances, so this needs a new transaction.
            drop(transaction);
            transaction = db.write().await.unwrap();
            set_status(&mut transaction, number, JobStatus::Cancelled, seconds).await;
        }
        return finish(transaction, dice).await;
    }
    let mut transaction = db.write().await.unwrap();
    let id = Uuid::from_u128(job);
    match action {
        3 => {
            let sized = resize(&mut transaction, &needed(job, Some(seconds), now)).await;
            drop(sized.unwrap());
        }
        4 => adjust(
            &mut transaction,
            "a",
            100 - i64::try_from(dice.roll(200)).unwrap(),
            "x",
            now,
        )
        .await
        .unwrap(),
        ending => {
            let status = match ending {
                5 | 6 => JobStatus::Completed,
                _ => JobStatus::Failed,
            };
            set_status(&mut transaction, job, status, seconds).await;
            if ending == 6 && !transcripts::exists(&mut transaction, id, 1).await.unwrap() {
                set_text(&mut transaction, job, 0).await;
            }
            // Every other step does not close the run, like a killed process.
            if dice.roll(2) == 0 {
                close(&mut transaction, id, now).await.unwrap();
            } else if dice.roll(4) == 0 {
                close_ended(&mut transaction, now).await.unwrap();
            }
        }
    }
    finish(transaction, dice).await;
}

async fn finish(transaction: crate::WriteTransaction, dice: &mut Rng) {
    if dice.roll(5) > 0 {
        transaction.commit().await.unwrap();
    }
}

#[apply(each_database!)]
fn the_ledger_adds_up_after_random_concurrent_steps(backend: Backend) {
    with_database(backend, async |db| {
        user(&db, Some(40.0)).await;
        let (jobs, clock) = (AtomicU64::new(0), AtomicI64::new(NOW));
        for round in 0..6_u64 {
            let walks = (0..4_u64).map(|walker| {
                let (db, jobs, clock) = (&db, &jobs, &clock);
                async move {
                    let mut dice = Rng(0x9E37_79B9_7F4A_7C15 ^ (round * 4 + walker + 1));
                    for _ in 0..30 {
                        step(db, &mut dice, jobs, clock).await;
                    }
                }
            });
            futures_join(walks.collect()).await;
            assert_adds_up(&db).await;
        }
        let mut transaction = db.write().await.unwrap();
        sqlx::query("UPDATE synced_jobs SET status = 'failed' WHERE status = 'pending'")
            .execute(&mut *transaction)
            .await
            .unwrap();
        while close_ended(&mut transaction, clock.load(Ordering::SeqCst))
            .await
            .unwrap()
            > 0
        {}
        let (used, changes, opened) = sums(&mut transaction).await;
        assert_eq!((used, opened), (-changes, 0));
        transaction.commit().await.unwrap();
        let entries = list(&mut db.read().await.unwrap(), "a", None, 9999)
            .await
            .unwrap();
        for kind in UsageChange::ALL {
            assert!(
                entries.iter().any(|e| e.kind == *kind),
                "no {kind} among them"
            );
        }
    });
}

/// Runs all futures concurrently.
async fn futures_join<F: Future<Output = ()>>(futures: Vec<F>) {
    let mut futures: Vec<_> = futures.into_iter().map(Box::pin).collect();
    std::future::poll_fn(move |context| {
        futures.retain_mut(|future| future.as_mut().poll(context).is_pending());
        if futures.is_empty() {
            std::task::Poll::Ready(())
        } else {
            std::task::Poll::Pending
        }
    })
    .await;
}
