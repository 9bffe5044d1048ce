use slovo_rules::job::JobStatus;
use slovo_rules::job_plan;
use slovo_rules::media::{Fault, Media};
use slovo_rules::settings::{Source, TranscriptionSettings, TranscriptionType};
use slovo_rules::transcript::{Segment, Transcript};
use slovo_rules::webhook::{WebhookCategory, WebhookForm, validate};

use super::*;
use crate::core::lease::Claim;
use crate::jobs::queue::{self, Lease, Release};
use crate::jobs::workflows::MessageScope;
use crate::jobs::{self, NewJob, stages};
use crate::testing::{Backend, account, apply, each_database, with_database};
use crate::{Database, lifecycle, webhooks};

const MINUTE: i64 = 60_000;

fn id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

async fn service(db: &Database, number: u128, category: WebhookCategory) -> Uuid {
    let form = WebhookForm {
        name: format!("service {number}"),
        url: "https://example.com/hook".to_owned(),
        category,
        ..WebhookForm::default()
    };
    let mut transaction = db.write().await.unwrap();
    let form = validate(&form).unwrap();
    webhooks::services::insert(&mut transaction, id(number), &form, 1)
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    id(number)
}

async fn enqueue_delivery(db: &Database, service: Uuid, text: &str, now: i64) -> Uuid {
    let new = NewDelivery {
        service_id: service,
        event_id: event_id(&[text]),
        event_type: "job.completed",
        job_id: None,
        payload: &serde_json::json!({ "text": text }),
        now,
    };
    let mut transaction = db.write().await.unwrap();
    let id = insert(&mut transaction, &new).await.unwrap();
    transaction.commit().await.unwrap();
    id
}

async fn claimed(db: &Database, lease: &str, now: i64) -> Option<Delivery> {
    let mut transaction = db.write().await.unwrap();
    let claimed = claim(
        &mut transaction,
        Lane::Administrators,
        MessageScope::All,
        lease,
        now,
        now + MINUTE,
    )
    .await;
    transaction.commit().await.unwrap();
    claimed.unwrap()
}

async fn recorded(db: &Database, id: Uuid, lease: &str, outcome: Outcome, now: i64) -> bool {
    let attempt_result = AttemptResult {
        status: Some(200),
        error: (outcome != Outcome::Delivered).then_some("http_status"),
        latency_ms: 5,
    };
    let mut transaction = db.write().await.unwrap();
    let stored = record_outcome(&mut transaction, id, lease, outcome, attempt_result, now).await;
    transaction.commit().await.unwrap();
    stored.unwrap()
}

async fn all(db: &Database, service: Uuid) -> Vec<Delivery> {
    let mut connection = db.read().await.unwrap();
    list(&mut connection, service, None, 100).await.unwrap()
}

#[apply(each_database!)]
fn one_process_sends_a_delivery_and_another_takes_over_after_it_dies(backend: Backend) {
    with_database(backend, async |db| {
        let hook = service(&db, 1, WebhookCategory::Processing).await;
        let delivery = enqueue_delivery(&db, hook, "a", 100).await;
        assert_eq!(
            enqueue_delivery(&db, hook, "a", 100).await,
            delivery,
            "told once"
        );
        assert_eq!(claimed(&db, "early", 99).await, None);
        let tasks: Vec<_> = (0..8)
            .map(|number| {
                let db = db.clone();
                tokio::spawn(async move { claimed(&db, &format!("l{number}"), 100).await })
            })
            .collect();
        let mut claims = Vec::new();
        for task in tasks {
            claims.extend(task.await.unwrap());
        }
        let [first] = &claims[..] else {
            panic!("claimed by {}", claims.len());
        };
        assert_eq!((first.id, first.attempts, first.step), (delivery, 1, 1));
        let lost_lease = first.lease_id.clone().unwrap();
        // Its process dies: nobody can claim the delivery until the claim expires.
        assert_eq!(claimed(&db, "soon", 99 + MINUTE).await, None);
        let next = claimed(&db, "next", 100 + MINUTE).await.unwrap();
        assert_eq!((next.id, next.attempts), (delivery, 2));
        assert!(
            !recorded(&db, delivery, &lost_lease, Outcome::Failed, 200).await,
            "its claim is over"
        );
        assert!(recorded(&db, delivery, "next", Outcome::Delivered, 300).await);
        assert_eq!(claimed(&db, "late", i64::MAX - MINUTE).await, None);
        let row = &all(&db, hook).await[0];
        assert_eq!(
            (row.status, row.delivered_at),
            (Status::Delivered, Some(300))
        );
        assert_eq!(
            (row.last_status, row.last_error.as_deref()),
            (Some(200), None)
        );
    });
}

#[apply(each_database!)]
fn slow_services_do_not_delay_others_and_disabled_ones_wait(backend: Backend) {
    with_database(backend, async |db| {
        let slow = service(&db, 1, WebhookCategory::Processing).await;
        let other = service(&db, 2, WebhookCategory::Processing).await;
        for number in 0..6 {
            enqueue_delivery(&db, slow, &format!("{number}"), 10).await;
        }
        let waiting = enqueue_delivery(&db, other, "x", 20).await;
        for number in 0..MAX_AT_ONCE {
            let delivery = claimed(&db, &format!("{number}"), 50).await.unwrap();
            assert_eq!(delivery.service_id, slow);
        }
        let fifth = claimed(&db, "fifth", 50).await.unwrap();
        assert_eq!(fifth.id, waiting);
        assert_eq!(claimed(&db, "sixth", 50).await, None);
        let mut connection = db.read().await.unwrap();
        let due = any_due(&mut connection, Lane::Administrators, MessageScope::All, 50).await;
        assert!(!due.unwrap());
        drop(connection);

        let mut transaction = db.write().await.unwrap();
        release(&mut transaction, waiting, "fifth", 60)
            .await
            .unwrap();
        webhooks::services::disable(&mut transaction, other, "gone", 61)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        assert_eq!(claimed(&db, "off", 70).await, None);
        let row = &all(&db, other).await[0];
        assert_eq!((row.status, row.attempts), (Status::Pending, 0));
    });
}

#[apply(each_database!)]
fn failed_deliveries_can_be_resent_but_not_those_being_sent(backend: Backend) {
    with_database(backend, async |db| {
        let hook = service(&db, 1, WebhookCategory::Processing).await;
        let delivery = enqueue_delivery(&db, hook, "a", 1).await;
        let again = async |now| {
            let mut transaction = db.write().await.unwrap();
            resend(&mut transaction, delivery, now).await.unwrap();
            transaction.commit().await.unwrap();
        };
        claimed(&db, "one", 1).await.unwrap();
        again(2).await;
        assert_eq!(claimed(&db, "two", 2).await, None, "it is on its way");
        assert!(recorded(&db, delivery, "one", Outcome::Retry(MINUTE), 3).await);
        again(4).await;
        let next = claimed(&db, "three", 4).await.unwrap();
        assert_eq!((next.attempts, next.step), (2, 1), "from the beginning");
        assert!(recorded(&db, delivery, "three", Outcome::Failed, 5).await);
        assert_eq!(claimed(&db, "four", MINUTE * 9).await, None);
        again(6).await;
        assert!(claimed(&db, "five", 6).await.is_some());
        assert!(recorded(&db, delivery, "five", Outcome::Delivered, 7).await);
        let mut connection = db.read().await.unwrap();
        let found = find(&mut connection, hook, delivery).await.unwrap();
        assert_eq!(found.unwrap().attempts, 3);
        assert_eq!(find(&mut connection, id(9), delivery).await.unwrap(), None);
    });
}

#[apply(each_database!)]
fn the_log_is_bounded_and_read_by_pages(backend: Backend) {
    with_database(backend, async |db| {
        let hook = service(&db, 1, WebhookCategory::Processing).await;
        let other = service(&db, 2, WebhookCategory::Processing).await;
        enqueue_delivery(&db, other, "kept", 50).await;
        for now in 1..=9 {
            enqueue_delivery(&db, hook, &now.to_string(), now).await;
        }
        let mut transaction = db.write().await.unwrap();
        assert_eq!(delete_old(&mut transaction, 3).await.unwrap(), 2);
        for (lane, expected) in [(Lane::Users, 0), (Lane::Administrators, 2)] {
            let removed = delete_over_limit(&mut transaction, lane, 5).await;
            assert_eq!(removed.unwrap(), expected, "{lane:?}");
        }
        transaction.commit().await.unwrap();
        let left: Vec<_> = all(&db, hook).await.iter().map(|d| d.created_at).collect();
        assert_eq!(left, [9, 8, 7, 6, 5]);
        assert_eq!(all(&db, other).await.len(), 1);
        let mut connection = db.read().await.unwrap();
        let first = list(&mut connection, hook, None, 2).await.unwrap();
        let last = first.last().map(|d| (d.created_at, d.id));
        let next = list(&mut connection, hook, last, 2).await.unwrap();
        let times: Vec<_> = next.iter().map(|d| d.created_at).collect();
        assert_eq!(times, [7, 6]);
    });
}

async fn job(db: &Database, number: u128, url: &str) -> Lease {
    let settings = TranscriptionSettings {
        url: url.to_owned(),
        ..TranscriptionSettings::default()
    };
    let line = if url.is_empty() {
        queue::Line::Recognition
    } else {
        queue::Line::Download
    };
    let job = NewJob {
        id: id(number),
        user_id: "u1".to_owned(),
        media_id: id(number + 1000),
        original_filename: "Розмова.mp3".to_owned(),
        content_type: "audio/mpeg".to_owned(),
        file_size: 7,
        has_video: false,
        duration: Some(2.0),
        plan: job_plan::validate(&settings, Source::File).unwrap(),
        audio_track: None,
        priority: 0,
        now: 1,
    };
    let mut transaction = db.write().await.unwrap();
    lifecycle::create_job(&mut transaction, &job).await.unwrap();
    transaction.commit().await.unwrap();
    lease(db, line).await
}

async fn lease(db: &Database, line: queue::Line) -> Lease {
    let claim = Claim {
        lease_id: Uuid::new_v4().to_string(),
        owner: "w",
        now: 50,
        until: 1_000,
    };
    let mut transaction = db.write().await.unwrap();
    let claimed = queue::claim(&mut transaction, db.backend(), line, &claim).await;
    transaction.commit().await.unwrap();
    claimed.unwrap().unwrap().0
}

async fn complete(db: &Database, lease: &Lease) {
    let text = Transcript {
        language: "uk".to_owned(),
        duration: 2.0,
        mode: TranscriptionType::Full,
        model: "base".to_owned(),
        segments: vec![Segment {
            index: 0,
            start: 0.0,
            end: 2.0,
            speaker: None,
            language: None,
            text: "Слово.".to_owned(),
            words: Vec::new(),
        }],
        warnings: Vec::new(),
        removed: Vec::new(),
    };
    let mut transaction = db.write().await.unwrap();
    let done = lifecycle::complete_job(&mut transaction, lease, 1, &text, false, 100).await;
    assert!(done.unwrap());
    transaction.commit().await.unwrap();
}

#[apply(each_database!)]
fn job_events_are_delivered_to_the_services_that_want_them(backend: Backend) {
    with_database(backend, async |db| {
        let mut transaction = db.write().await.unwrap();
        account(&mut transaction, "u1").await;
        transaction.commit().await.unwrap();
        let uploads = service(&db, 1, WebhookCategory::Upload).await;
        let results = service(&db, 2, WebhookCategory::Processing).await;
        let utility = service(&db, 3, WebhookCategory::Utility).await;

        let completed_job = job(&db, 10, "").await;
        let [arrived] = &all(&db, uploads).await[..] else {
            panic!("not told of the upload");
        };
        assert_eq!(arrived.event_type, "upload.completed");
        assert_eq!(arrived.job_id, Some(completed_job.job_id));
        assert_eq!(arrived.payload["file_name"], "Розмова.mp3");
        assert_eq!(arrived.payload["file_size"], 7);
        assert!(all(&db, results).await.is_empty());

        complete(&db, &completed_job).await;
        let [completed] = &all(&db, results).await[..] else {
            panic!("not told of the text");
        };
        assert_eq!(completed.event_type, "job.completed");
        let payload = &completed.payload;
        assert_eq!(payload["status"], JobStatus::Completed.as_str());
        assert_eq!(payload["text_length"], 6);
        assert_eq!(
            (&payload["language"], &payload["model"]),
            (&"uk".into(), &"base".into())
        );
        assert!(!payload.to_string().contains("Слово"), "not the text");

        // A postponed job has not ended; the second release ends it.
        let failing = job(&db, 11, "").await;
        let again = Release::Requeue {
            run_after: 5,
            forgive: false,
        };
        let mut transaction = db.write().await.unwrap();
        assert!(
            lifecycle::release_job(&mut transaction, &failing, &again, 20)
                .await
                .unwrap()
        );
        transaction.commit().await.unwrap();
        assert_eq!(all(&db, results).await.len(), 1);
        let failing = lease(&db, queue::Line::Recognition).await;
        let error = Release::Error(Fault::new("damaged"));
        let mut transaction = db.write().await.unwrap();
        assert!(
            lifecycle::release_job(&mut transaction, &failing, &error, 200)
                .await
                .unwrap()
        );
        assert!(
            !lifecycle::release_job(&mut transaction, &failing, &error, 201)
                .await
                .unwrap()
        );
        transaction.commit().await.unwrap();
        let deliveries = all(&db, results).await;
        assert_eq!(deliveries.len(), 2);
        assert_eq!(deliveries[0].event_type, "job.failed");
        assert_eq!(deliveries[0].payload["error"]["code"], "damaged");

        assert!(all(&db, utility).await.is_empty());
        let mut transaction = db.write().await.unwrap();
        assert!(
            jobs::delete(&mut transaction, "u1", completed_job.job_id)
                .await
                .unwrap()
        );
        transaction.commit().await.unwrap();
        assert_eq!(all(&db, results).await.len(), 1, "it goes with its job");
    });
}

#[apply(each_database!)]
fn a_recording_from_a_url_counts_as_uploaded_once_downloaded(backend: Backend) {
    with_database(backend, async |db| {
        let mut transaction = db.write().await.unwrap();
        account(&mut transaction, "u1").await;
        transaction.commit().await.unwrap();
        let uploads = service(&db, 1, WebhookCategory::Upload).await;
        let results = service(&db, 2, WebhookCategory::Processing).await;
        let lease = job(&db, 10, "https://example.com/a.mp3?key=secret").await;
        assert!(all(&db, uploads).await.is_empty());
        let downloaded = stages::DownloadedFile {
            filename: "a.mp3".to_owned(),
            content_type: "audio/mpeg".to_owned(),
            size: 9,
            media: Media {
                container: "mp3".to_owned(),
                codec: "mp3".to_owned(),
                duration: Some(3.0),
                tracks: 1,
                channels: 1,
                has_video: false,
                audio_tracks: Vec::new(),
            },
        };
        let mut transaction = db.write().await.unwrap();
        let set = lifecycle::set_downloaded(&mut transaction, &lease, &downloaded, 30).await;
        assert!(set.unwrap());
        let late = lifecycle::set_downloaded(&mut transaction, &lease, &downloaded, 31).await;
        assert!(!late.unwrap());
        transaction.commit().await.unwrap();
        let deliveries = all(&db, uploads).await;
        assert_eq!(deliveries.len(), 1);
        assert_eq!(deliveries[0].payload["file_size"], 9);
        assert!(!deliveries[0].payload.to_string().contains("secret"));

        // A job whose worker dies repeatedly is given up, and reported.
        let lease = self::lease(&db, queue::Line::Recognition).await;
        let mut transaction = db.write().await.unwrap();
        crate::testing::execute(
            &mut transaction,
            "UPDATE synced_jobs SET attempts = 3, lease_until = 11",
        )
        .await;
        let given_up =
            lifecycle::give_up_jobs(&mut transaction, &Fault::new("worker_lost"), 12).await;
        assert_eq!(given_up.unwrap(), [lease.job_id]);
        transaction.commit().await.unwrap();
        assert_eq!(all(&db, results).await[0].event_type, "job.failed");
    });
}
