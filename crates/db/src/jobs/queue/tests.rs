//! Jobs that cannot be claimed: unreadable rows, and a user's third download.

use std::time::Duration;

use sqlx::Row;
use uuid::Uuid;

use crate::Database;
use crate::core::lease::Claim;
use crate::jobs::queue::{self, Line, MAX_DOWNLOADS};
use crate::jobs::tests::{account, claim, enqueue, unindexed};
use crate::testing::{self, Backend, apply, each_database, with_database};

#[apply(each_database!)]
fn a_job_with_an_unreadable_row_fails_without_affecting_others(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "a").await;
        for (number, column) in [(1, "media_id"), (2, "input_settings"), (3, "my_job_id")] {
            let id = enqueue(&db, "a", number, 0, 0).await;
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
        let readable = enqueue(&db, "a", 4, 0, 10).await;
        let (_, job) = claim(&db, "w", 100).await.unwrap();
        assert_eq!(job.id, readable);
        let rows = sqlx::query("SELECT error FROM synced_jobs WHERE status = 'failed'")
            .fetch_all(&mut *db.read().await.unwrap())
            .await
            .unwrap();
        let errors: Vec<String> = rows.iter().map(|row| row.get("error")).collect();
        assert_eq!(errors.len(), 3);
        assert!(errors.iter().all(|error| error.contains("row_unreadable")));
        assert!(claim(&db, "w", 100).await.is_none());
    });
}

/// The query with which a cluster decides how many workers it needs.
#[apply(each_database!)]
fn the_query_of_the_deployment_counts_jobs_for_recognition(backend: Backend) {
    with_database(backend, async |db| {
        let manifest = include_str!("../../../../../deploy/kubernetes/workers.yaml");
        let query = manifest.split_once("query: \"").unwrap().1;
        let query = query.split_once('"').unwrap().0;
        account(&db, "a").await;
        for number in 1..=3 {
            enqueue(&db, "a", number, 0, 0).await;
        }
        let claimed = claim(&db, "w", 100).await;
        assert!(claimed.is_some(), "it still counts");
        let row = sqlx::query(sqlx::AssertSqlSafe(query))
            .fetch_one(&mut *db.read().await.unwrap())
            .await
            .unwrap();
        assert_eq!(row.get::<i64, _>(0), 3);
    });
}

/// A claim whose lease lasts one second.
fn download_claim(now: i64) -> Claim<'static> {
    Claim {
        lease_id: Uuid::new_v4().to_string(),
        owner: "w",
        now,
        until: now + 1000,
    }
}

/// Claims a download at `now`; the lease lasts one second.
async fn claim_download(db: &Database, now: i64) -> Option<String> {
    let mut transaction = db.write().await.unwrap();
    let claim = download_claim(now);
    let any = queue::any_waiting(&mut transaction, Line::Download, now);
    let any = any.await.unwrap();
    let claimed = queue::claim(&mut transaction, db.backend(), Line::Download, &claim);
    let claimed = claimed.await.unwrap();
    transaction.commit().await.unwrap();
    assert_eq!(any, claimed.is_some(), "nothing is locked for nothing");
    claimed.map(|(_, job)| job.user_id)
}

#[apply(each_database!)]
fn concurrent_downloads_are_limited_per_user(backend: Backend) {
    with_database(backend, async |db| {
        for user in ["a", "b"] {
            account(&db, user).await;
        }
        for number in 1..=4 {
            enqueue(&db, "a", number, 9, 0).await;
        }
        enqueue(&db, "b", 11, 0, 10).await;
        let mut transaction = db.write().await.unwrap();
        sqlx::query("UPDATE synced_jobs SET awaits_download = 1 WHERE my_job_id <> $1")
            .bind(Uuid::from_u128(4).to_string())
            .execute(&mut *transaction)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        for _ in 0..MAX_DOWNLOADS {
            assert_eq!(claim_download(&db, 100).await.as_deref(), Some("a"));
        }
        assert_eq!(claim_download(&db, 100).await.as_deref(), Some("b"));
        assert_eq!(claim_download(&db, 100).await, None, "a has another one");
        // The limit does not apply to recognition.
        assert!(claim(&db, "w", 100).await.is_some());
        // The leases have expired, so the user's downloads are free again.
        assert_eq!(claim_download(&db, 1100).await.as_deref(), Some("a"));
    });
}

#[apply(each_database!)]
fn concurrent_claims_respect_the_download_limit(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "a").await;
        for number in 1..=3 {
            enqueue(&db, "a", number, 0, 0).await;
        }
        let mut transaction = db.write().await.unwrap();
        testing::execute(
            &mut transaction,
            "UPDATE synced_jobs SET awaits_download = 1",
        )
        .await;
        transaction.commit().await.unwrap();
        assert!(claim_download(&db, 100).await.is_some());
        let mut first = db.write().await.unwrap();
        let second = download_claim(100);
        let claimed = queue::claim(&mut first, db.backend(), Line::Download, &second).await;
        assert!(claimed.unwrap().is_some());
        let other = db.clone();
        let third = tokio::spawn(async move {
            let mut transaction = other.write().await.unwrap();
            let claim = download_claim(100);
            let claimed =
                queue::claim(&mut transaction, other.backend(), Line::Download, &claim).await;
            transaction.commit().await.unwrap();
            claimed.unwrap().is_some()
        });
        // Long enough for the claim to succeed if it did not wait.
        tokio::time::sleep(Duration::from_millis(200)).await;
        first.commit().await.unwrap();
        assert!(!third.await.unwrap(), "two are fetched");
    });
}
