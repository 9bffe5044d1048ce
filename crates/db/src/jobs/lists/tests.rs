mod sources;

use uuid::Uuid;

use super::source::{From, MAX_KINDS, NUMBERS, Scope, Search};
use crate::jobs::figures::Kind;
use crate::jobs::tests::{account, enqueue, unindexed};
use crate::jobs::{Filter, Order, SortKey, Summary, list, summary};
use crate::testing::{Backend, apply, each_database, with_database};

/// The SQL of lists from every source, in every order, with and without each condition.
pub(super) fn texts(backend: Backend) -> Vec<String> {
    let kinds = |count| vec![Kind::default(); count];
    let narrow = Filter {
        name: "a".to_owned(),
        groups: vec![Uuid::nil(); 2],
        from: Some(1),
        ..Filter::default()
    };
    let orders = [SortKey::Date, SortKey::Name, SortKey::Length]
        .into_iter()
        .flat_map(|by| [false, true].map(|ascending| Order { by, ascending }));
    let mut texts = Vec::new();
    for order in orders {
        for filter in [Filter::default(), narrow.clone()] {
            let filter = Filter { order, ..filter };
            let named = Some("616263".to_owned());
            for (from, count) in [
                (From::All, 0),
                (From::Kinds, 2),
                (From::Kinds, MAX_KINDS + 1),
                (From::Grouped, 0),
                (From::Grouped, 2),
                (From::Candidates { named }, 2),
                (From::Candidates { named: None }, 0),
                (From::Named, 2),
            ] {
                if matches!(from, From::Named) && order.by != SortKey::Name {
                    continue;
                }
                let scope = Scope {
                    backend,
                    user_id: "a",
                    filter: &filter,
                    kinds: kinds(count),
                    jobs: 0,
                };
                let search = Search {
                    scope: &scope,
                    from,
                };
                // The user and the id of the position come before the other texts.
                let mut number = NUMBERS + 2;
                texts.push(search.statement(&mut |_: &str| {
                    number += 1;
                    number
                }));
            }
        }
    }
    texts
}

#[apply(each_database!)]
fn an_unreadable_row_does_not_hide_other_jobs(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "a").await;
        for number in 1..=6 {
            let now = i64::try_from(number).unwrap();
            let id = enqueue(&db, "a", number, 0, now).await;
            let column = match number {
                2 => "media_id",
                3 => "input_settings",
                4 => "my_job_id",
                5 => "status",
                _ => continue,
            };
            let damage = format!("UPDATE synced_jobs SET {column} = 'x' WHERE my_job_id = $1");
            let mut transaction = db.write().await.unwrap();
            unindexed(&mut transaction, id).await;
            sqlx::query(sqlx::AssertSqlSafe(damage))
                .bind(id.to_string())
                .execute(&mut *transaction)
                .await
                .unwrap();
            transaction.commit().await.unwrap();
        }
        let mut connection = db.read().await.unwrap();
        for limit in [1, 2, 3, 10] {
            let filter = Filter {
                limit,
                ..Filter::default()
            };
            let found = list(&mut connection, "a", &filter).await.unwrap();
            let numbers: Vec<_> = found.iter().map(|job| job.id.as_u128()).collect();
            assert_eq!(numbers, [6, 1][..numbers.len()]);
            assert_eq!(numbers.len(), 2.min(limit as usize));
        }
        let counted = summary(&mut connection, "a").await.unwrap();
        let expected = Summary {
            total: 6,
            pending: 5,
            ..Summary::default()
        };
        assert_eq!(counted, expected);
    });
}
