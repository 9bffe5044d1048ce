use slovo_rules::Valid;
use slovo_rules::preferences::{Preferences, validate};
use slovo_rules::settings::TranscriptionType;
use slovo_rules::transcript::Segment;
use sqlx::Row as _;

use super::*;
use crate::accounts::preferences;
use crate::core::file_removals;
use crate::core::lease::Claim;
use crate::jobs::queue::{self, Line};
use crate::jobs::{self, Filter, Summary, completion_mails};
use crate::nocodb::{self, Kind};
use crate::site::figures::{SiteFigures, site_figures};
use crate::site::overview::{self, Span, Totals};
use crate::testing::{Backend, account, apply, each_database, execute, with_database};
use crate::texts::projection::{self, HistoryPoint};
use crate::{Database, lifecycle};

/// A recording of one sentence, for u1.
fn sample(number: u128) -> NewSample {
    NewSample {
        id: Uuid::from_u128(number),
        user_id: "u1".to_owned(),
        media_id: Uuid::from_u128(100 + number),
        original_filename: "Зразок: слово.mp3".to_owned(),
        content_type: "audio/mpeg",
        file_size: 7,
        plan: Valid::default(),
        transcript: text(""),
        speaker: "Голос".to_owned(),
        now: 10,
    }
}

fn text(model: &str) -> Transcript {
    Transcript {
        language: "uk".to_owned(),
        duration: 8.5,
        mode: TranscriptionType::Full,
        model: model.to_owned(),
        segments: vec![Segment {
            index: 0,
            start: 0.0,
            end: 8.0,
            speaker: Some("SPEAKER_0".to_owned()),
            language: None,
            text: "Сказане слово зникає.".to_owned(),
            words: Vec::new(),
        }],
        warnings: Vec::new(),
        removed: Vec::new(),
    }
}

async fn create_sample(database: &Database, number: u128) -> bool {
    let mut transaction = database.write().await.unwrap();
    let created = insert_sample(&mut transaction, &sample(number))
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    created
}

/// The account u1 with its sample.
async fn with_sample(database: &Database) {
    let mut transaction = database.write().await.unwrap();
    account(&mut transaction, "u1").await;
    mark_due(&mut transaction, "u1").await.unwrap();
    transaction.commit().await.unwrap();
    assert!(create_sample(database, 1).await);
}

/// Checks that all counts are zero while the lists show the sample.
async fn assert_nothing_is_counted(database: &Database) {
    let mut connection = database.read().await.unwrap();
    let summary = jobs::summary(&mut connection, "u1").await.unwrap();
    assert_eq!(summary, Summary::default());
    let figures = site_figures(&mut connection).await.unwrap();
    assert_eq!(figures, SiteFigures::default());
    let span = Span { from: 0, offset: 0 };
    let figures = overview::figures(&mut connection, span, 0, 0)
        .await
        .unwrap();
    let totals = Totals {
        users: 1,
        ..Totals::default()
    };
    assert_eq!(figures.totals, totals);
    assert_eq!((figures.created, figures.recognised), (vec![], vec![]));
    assert_eq!((figures.wait_times, figures.backlog), (vec![], vec![]));
    for kind in [Kind::Jobs, Kind::Outputs] {
        let carried = nocodb::page(&mut connection, kind, "", 9).await.unwrap();
        assert_eq!(carried, []);
        let id = Uuid::from_u128(1).to_string();
        let row = nocodb::row(&mut connection, kind, &id).await.unwrap();
        assert_eq!(row, None);
    }
    for statuses in [vec![], vec![JobStatus::Completed]] {
        let filter = Filter {
            statuses,
            limit: 9,
            ..Filter::default()
        };
        let listed = jobs::list(&mut connection, "u1", &filter).await.unwrap();
        assert_eq!(listed.len(), 1);
        assert!(listed[0].is_sample);
    }
}

#[apply(each_database!)]
fn the_sample_is_created_once_as_a_completed_job(backend: Backend) {
    with_database(backend, async |database| {
        let mut transaction = database.write().await.unwrap();
        account(&mut transaction, "u1").await;
        assert!(!is_due(&mut transaction, "u1").await.unwrap());
        transaction.commit().await.unwrap();
        assert!(
            !create_sample(&database, 1).await,
            "nobody was promised one"
        );
        let mut transaction = database.write().await.unwrap();
        mark_due(&mut transaction, "u1").await.unwrap();
        mark_due(&mut transaction, "u1").await.unwrap();
        assert!(is_due(&mut transaction, "u1").await.unwrap());
        transaction.commit().await.unwrap();
        let tasks = [2, 3].map(|number| {
            let database = database.clone();
            tokio::spawn(async move { create_sample(&database, number).await })
        });
        let mut created = 0;
        for task in tasks {
            created += u32::from(task.await.unwrap());
        }
        assert_eq!(created, 1, "of two at once one is");

        let mut connection = database.read().await.unwrap();
        assert!(!is_due(&mut connection, "u1").await.unwrap());
        let filter = Filter {
            limit: 9,
            ..Filter::default()
        };
        let listed = jobs::list(&mut connection, "u1", &filter).await.unwrap();
        let [job] = &listed[..] else {
            panic!("{listed:?}")
        };
        assert_eq!((job.status, job.versions), (JobStatus::Completed, 1));
        assert_eq!(job.model, None, "nothing has recognised it");
        let text = projection::read(&mut connection, job.id, HistoryPoint::default()).await;
        let text = text.unwrap().unwrap();
        assert_eq!(text.segments[0].text, "Сказане слово зникає.");
        assert_eq!(text.speakers[0].name.as_deref(), Some("Голос"));
    });
}

#[apply(each_database!)]
fn the_sample_is_not_counted_or_notified_about_even_after_a_retry(backend: Backend) {
    with_database(backend, async |database| {
        with_sample(&database).await;
        assert_nothing_is_counted(&database).await;
        let chosen = Preferences {
            mail_on_completion: true,
            ..Preferences::default()
        };
        let mut transaction = database.write().await.unwrap();
        preferences::set(&mut transaction, "u1", &validate(&chosen).unwrap(), 1)
            .await
            .unwrap();
        execute(
            &mut transaction,
            "INSERT INTO webhook_services (id, name, url, description, category, is_active, modes, \
             created_at, updated_at) VALUES ('00000000-0000-0000-0000-000000000007', 'Hook', \
             'https://example.com', '', 'processing', 1, '[]', 1, 1)",
        )
        .await;
        let id = Uuid::from_u128(1);
        assert!(jobs::retry(&mut transaction, "u1", id, 20).await.unwrap());
        let claim = Claim {
            lease_id: "lease".to_owned(),
            owner: "w",
            now: 30,
            until: 1_000,
        };
        let backend = database.backend();
        let claimed = queue::claim(&mut transaction, backend, Line::Recognition, &claim).await;
        let (lease, _) = claimed.unwrap().unwrap();
        let done =
            lifecycle::complete_job(&mut transaction, &lease, 2, &text("base"), false, 40).await;
        assert!(done.unwrap());
        transaction.commit().await.unwrap();

        assert_nothing_is_counted(&database).await;
        jobs::merge_count_changes(&database).await.unwrap();
        assert_nothing_is_counted(&database).await;
        let mut connection = database.read().await.unwrap();
        assert_eq!(
            completion_mails::count_queued(&mut connection)
                .await
                .unwrap(),
            0
        );
        let row = sqlx::query("SELECT COUNT(*) AS deliveries FROM webhook_deliveries")
            .fetch_one(&mut *connection)
            .await
            .unwrap();
        assert_eq!(row.get::<i64, _>("deliveries"), 0);
    });
}

#[apply(each_database!)]
fn a_deleted_sample_is_not_created_again(backend: Backend) {
    with_database(backend, async |database| {
        with_sample(&database).await;
        let mut transaction = database.write().await.unwrap();
        let id = Uuid::from_u128(1);
        assert!(jobs::delete(&mut transaction, "u1", id).await.unwrap());
        let removals = file_removals::list(&mut transaction, None, 9).await;
        assert_eq!(removals.unwrap().len(), 1);
        assert!(!is_due(&mut transaction, "u1").await.unwrap());
        transaction.commit().await.unwrap();
        assert!(!create_sample(&database, 2).await);
    });
}

#[apply(each_database!)]
fn the_tour_is_offered_until_it_ends_while_the_sample_is_visible(backend: Backend) {
    with_database(backend, async |database| {
        with_sample(&database).await;
        let id = Uuid::from_u128(1);
        let state = |is_offered, sample| Tour { is_offered, sample };
        let mut transaction = database.write().await.unwrap();
        account(&mut transaction, "u2").await;
        let of_other = tour(&mut transaction, "u2").await.unwrap();
        assert_eq!(of_other, state(false, None));
        let offered = tour(&mut transaction, "u1").await.unwrap();
        assert_eq!(offered, state(true, Some(id)));
        let hide = "UPDATE synced_jobs SET is_visible_to_user = 0";
        execute(&mut transaction, hide).await;
        let hidden = tour(&mut transaction, "u1").await.unwrap();
        assert_eq!(hidden, state(false, None));
        let show = "UPDATE synced_jobs SET is_visible_to_user = 1";
        execute(&mut transaction, show).await;
        end_tour(&mut transaction, "u2", 50).await.unwrap();
        assert!(tour(&mut transaction, "u1").await.unwrap().is_offered);
        end_tour(&mut transaction, "u1", 50).await.unwrap();
        end_tour(&mut transaction, "u1", 60).await.unwrap();
        let ended = tour(&mut transaction, "u1").await.unwrap();
        assert_eq!(ended, state(false, Some(id)));
    });
}
