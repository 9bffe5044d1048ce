use slovo_rules::Valid;
use slovo_rules::group::{GroupKind, validate};

use super::*;
use crate::jobs::groups::{self, NewGroup};
use crate::jobs::tests::account;
use crate::jobs::{self, Filter, NewJob};
use crate::lifecycle;
use crate::testing::{Backend, apply, each_database, execute, with_database};

const TAG: Uuid = Uuid::from_u128(1 << 80);

/// A job of user `a` with this number as id, created at the given time.
async fn job(connection: &mut Connection, number: u128, name: &str, duration: Option<f64>) {
    let job = NewJob {
        id: Uuid::from_u128(number),
        user_id: "a".to_owned(),
        media_id: Uuid::from_u128(number + (1 << 64)),
        original_filename: name.to_owned(),
        content_type: "audio/wav".to_owned(),
        file_size: 1,
        has_video: false,
        duration,
        plan: Valid::default(),
        audio_track: None,
        priority: 0,
        now: i64::try_from(number).unwrap() * 10,
    };
    lifecycle::create_job(connection, &job).await.unwrap();
}

/// Six jobs in all states, the first four with a tag.
async fn create_six_jobs(connection: &mut Connection) {
    for (number, name, duration, state) in [
        (1, "Їжак", Some(30.0), "completed"),
        (2, "інтерв’ю 10", None, "pending"),
        (3, "Інтерв’ю 2", Some(5.0), "failed"),
        (4, "Zoom", Some(30.0), "processing"),
        (5, "Ґанок", Some(0.5), "cancelled"),
        (6, "йод", Some(700.25), "error"),
    ] {
        job(&mut *connection, number, name, duration).await;
        let state = format!(
            "UPDATE synced_jobs SET status = '{state}' WHERE created_at = {}",
            number * 10
        );
        execute(&mut *connection, &state).await;
    }
    let tag = NewGroup {
        id: TAG,
        user_id: "a",
        kind: GroupKind::Tag,
        form: &validate("робота", 0).unwrap(),
        now: 1,
    };
    groups::insert(&mut *connection, &tag).await.unwrap();
    for number in 1..=4 {
        let job = Uuid::from_u128(number);
        groups::add_job(&mut *connection, "a", job, TAG)
            .await
            .unwrap();
    }
}

/// The numbers of the user's jobs, page by page.
async fn walk(connection: &mut Connection, filter: &Filter, limit: u32) -> Vec<u128> {
    let mut filter = Filter {
        limit,
        ..filter.clone()
    };
    let mut all = Vec::new();
    loop {
        let page = jobs::list(&mut *connection, "a", &filter).await.unwrap();
        let Some(last) = page.last() else { return all };
        filter.after = Some(filter.order.position(last));
        all.extend(page.iter().map(|job| job.id.as_u128()));
    }
}

fn sorted(by: SortKey, ascending: bool) -> Filter {
    Filter {
        order: Order { by, ascending },
        ..Filter::default()
    }
}

#[apply(each_database!)]
fn every_order_works_in_both_directions_for_all_page_sizes(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "a").await;
        let mut transaction = db.write().await.unwrap();
        create_six_jobs(&mut transaction).await;
        for (by, ascending, numbers) in [
            (SortKey::Date, true, [1, 2, 3, 4, 5, 6]),
            (SortKey::Date, false, [6, 5, 4, 3, 2, 1]),
            (SortKey::Name, true, [5, 3, 2, 1, 6, 4]),
            (SortKey::Name, false, [4, 6, 1, 2, 3, 5]),
            (SortKey::Length, true, [2, 5, 3, 1, 4, 6]),
            (SortKey::Length, false, [6, 4, 1, 3, 5, 2]),
            (SortKey::State, true, [2, 4, 1, 6, 3, 5]),
            (SortKey::State, false, [5, 6, 3, 1, 4, 2]),
        ] {
            for limit in [1, 2, 4, 9] {
                let found = walk(&mut transaction, &sorted(by, ascending), limit).await;
                assert_eq!(found, numbers, "{by:?} {ascending} {limit}");
            }
            let tagged = Filter {
                groups: vec![TAG],
                ..sorted(by, ascending)
            };
            let of_tag: Vec<u128> = numbers.into_iter().filter(|number| *number < 5).collect();
            assert_eq!(walk(&mut transaction, &tagged, 3).await, of_tag, "{by:?}");
        }
    });
}

#[apply(each_database!)]
fn every_filter_keeps_the_order(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "a").await;
        let mut transaction = db.write().await.unwrap();
        create_six_jobs(&mut transaction).await;
        let all = Filter::default();
        let failed = Filter {
            statuses: vec![JobStatus::Error, JobStatus::Failed],
            ..all.clone()
        };
        let named = Filter {
            name: "ІНТЕРВ’Ю".to_owned(),
            ..all.clone()
        };
        let failed_of_tag = Filter {
            groups: vec![TAG],
            ..failed.clone()
        };
        let named_of_tag = Filter {
            groups: vec![TAG],
            from: Some(20),
            ..named.clone()
        };
        let of_time = Filter {
            from: Some(25),
            until: Some(55),
            ..all.clone()
        };
        let in_language = Filter {
            language: "uk".to_owned(),
            ..all
        };
        for (filter, by_name, by_length, by_state) in [
            (failed, vec![3, 6], vec![3, 6], vec![6, 3]),
            (named, vec![3, 2], vec![2, 3], vec![2, 3]),
            (failed_of_tag, vec![3], vec![3], vec![3]),
            (named_of_tag, vec![3, 2], vec![2, 3], vec![2, 3]),
            (of_time, vec![5, 3, 4], vec![5, 3, 4], vec![4, 3, 5]),
            (in_language, vec![], vec![], vec![]),
        ] {
            for (by, numbers) in [
                (SortKey::Name, by_name),
                (SortKey::Length, by_length),
                (SortKey::State, by_state),
            ] {
                let filter = Filter {
                    order: sorted(by, true).order,
                    ..filter.clone()
                };
                for limit in [1, 9] {
                    let found = walk(&mut transaction, &filter, limit).await;
                    assert_eq!(found, numbers, "{filter:?}");
                }
            }
        }
    });
}

#[apply(each_database!)]
fn paging_continues_while_rows_are_added_moved_and_deleted(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "a").await;
        let mut transaction = db.write().await.unwrap();
        create_six_jobs(&mut transaction).await;
        let mut filter = sorted(SortKey::Name, true);
        filter.limit = 2;
        let page = jobs::list(&mut transaction, "a", &filter).await.unwrap();
        filter.after = page.last().map(|last| filter.order.position(last));
        // The last job of the page is deleted, another one has moved, and one was added.
        let (deleted, moved) = (Uuid::from_u128(3), Uuid::from_u128(2));
        assert!(jobs::delete(&mut transaction, "a", deleted).await.unwrap());
        jobs::set_title(&mut transaction, "a", moved, Some("Ананас"))
            .await
            .unwrap();
        job(&mut transaction, 7, "Йогурт", None).await;
        assert_eq!(walk(&mut transaction, &filter, 1).await, [1, 7, 6, 4]);
        // By state, after the first job of a state has changed its state.
        let mut filter = sorted(SortKey::State, true);
        filter.limit = 3;
        let page = jobs::list(&mut transaction, "a", &filter).await.unwrap();
        let numbers: Vec<_> = page.iter().map(|job| job.id.as_u128()).collect();
        assert_eq!(numbers, [7, 2, 4]);
        filter.after = page.last().map(|last| filter.order.position(last));
        execute(
            &mut transaction,
            "UPDATE synced_jobs SET status = 'completed' WHERE created_at IN (40, 70)",
        )
        .await;
        assert_eq!(walk(&mut transaction, &filter, 1).await, [7, 4, 1, 6, 5]);
    });
}

#[apply(each_database!)]
fn titles_take_precedence_over_file_names_and_keys_are_rebuilt(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "a").await;
        let mut transaction = db.write().await.unwrap();
        create_six_jobs(&mut transaction).await;
        let all = sorted(SortKey::Name, true);
        let tagged = Filter {
            groups: vec![TAG],
            ..all.clone()
        };
        let third = Uuid::from_u128(3);
        for (title, numbers, of_tag) in [
            (Some("Яблуко"), [5, 2, 1, 6, 3, 4], [2, 1, 3, 4]),
            (Some("Їжак 5"), [5, 2, 1, 3, 6, 4], [2, 1, 3, 4]),
            (None, [5, 3, 2, 1, 6, 4], [3, 2, 1, 4]),
        ] {
            jobs::set_title(&mut transaction, "a", third, title)
                .await
                .unwrap();
            assert_eq!(walk(&mut transaction, &all, 2).await, numbers, "{title:?}");
            assert_eq!(walk(&mut transaction, &tagged, 2).await, of_tag);
        }
        // The state left by a version without keys.
        execute(&mut transaction, "UPDATE synced_jobs SET name_key = ''").await;
        assert_eq!(walk(&mut transaction, &all, 9).await, [1, 2, 3, 4, 5, 6]);
        fill_keys(&mut transaction).await.unwrap();
        assert_eq!(walk(&mut transaction, &all, 2).await, [5, 3, 2, 1, 6, 4]);
        assert_eq!(walk(&mut transaction, &tagged, 2).await, [3, 2, 1, 4]);
        execute(
            &mut transaction,
            "UPDATE synced_jobs SET duration = 1 WHERE created_at = 40",
        )
        .await;
        let tagged = Filter {
            groups: vec![TAG],
            ..sorted(SortKey::Length, true)
        };
        assert_eq!(walk(&mut transaction, &tagged, 2).await, [2, 4, 3, 1]);
    });
}
