use super::*;
use crate::jobs::tests::{account, enqueue};
use crate::testing::{Backend, apply, each_database, execute, with_database};

/// The sums, after checking that they equal a count of the jobs.
async fn checked_counts(database: &Database) -> Vec<Kind> {
    let mut connection = database.read().await.unwrap();
    let stored = kinds(&mut connection, "a").await.unwrap();
    let rows = sqlx::query(
        "SELECT status, transcription_type, COALESCE(language, '') AS language, \
         COUNT(*) AS jobs, CAST(SUM(ROUND(COALESCE(duration, 0) * 1000)) AS BIGINT) AS ms \
         FROM synced_jobs WHERE auth_user_id = 'a' AND is_visible_to_user = 1 \
         GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
    )
    .fetch_all(&mut *connection)
    .await
    .unwrap();
    let counted: Vec<Kind> = rows
        .iter()
        .map(|row| Kind {
            status: row.get("status"),
            mode: row.get("transcription_type"),
            language: row.get("language"),
            jobs: row.get("jobs"),
            milliseconds: row.get("ms"),
        })
        .collect();
    assert_eq!(stored, counted);
    stored
}

#[apply(each_database!)]
fn counts_match_the_jobs_after_every_change(backend: Backend) {
    with_database(backend, async |database| {
        account(&database, "a").await;
        account(&database, "b").await;
        for number in 1..=6 {
            enqueue(&database, "a", number, 0, 10).await;
        }
        enqueue(&database, "b", 7, 0, 10).await;
        assert_eq!(checked_counts(&database).await[0].jobs, 6);
        for change in [
            "UPDATE synced_jobs SET status = 'completed', duration = 1.2345, language = 'uk' \
             WHERE my_job_id LIKE '%1' OR my_job_id LIKE '%2'",
            "UPDATE synced_jobs SET transcription_type = 'lite' WHERE my_job_id LIKE '%2'",
            "UPDATE synced_jobs SET duration = NULL WHERE my_job_id LIKE '%1'",
            "UPDATE synced_jobs SET is_visible_to_user = 0 WHERE my_job_id LIKE '%3'",
            "UPDATE synced_jobs SET percent = 50",
            "UPDATE synced_jobs SET is_visible_to_user = 1",
            "DELETE FROM synced_jobs WHERE my_job_id LIKE '%4'",
        ] {
            let mut transaction = database.write().await.unwrap();
            execute(&mut transaction, change).await;
            transaction.commit().await.unwrap();
            checked_counts(&database).await;
            merge_count_changes(&database).await.unwrap();
            checked_counts(&database).await;
        }
        let mut connection = database.read().await.unwrap();
        assert_eq!(total(&mut connection).await.unwrap(), 6);
        drop(connection);
        let mut transaction = database.write().await.unwrap();
        execute(&mut transaction, "DELETE FROM synced_jobs").await;
        transaction.commit().await.unwrap();
        merge_count_changes(&database).await.unwrap();
        assert_eq!(checked_counts(&database).await, []);
        let mut connection = database.read().await.unwrap();
        let left = "SELECT COUNT(*) AS kinds FROM job_counts";
        let row = sqlx::query(left).fetch_one(&mut *connection).await.unwrap();
        assert_eq!(row.get::<i64, _>("kinds"), 0);
    });
}

#[apply(each_database!)]
fn concurrent_writers_do_not_deadlock(backend: Backend) {
    with_database(backend, async |database| {
        account(&database, "a").await;
        for number in 1..=8 {
            enqueue(&database, "a", number, 0, 10).await;
        }
        let mut writers = tokio::task::JoinSet::new();
        for number in 1..=8 {
            let database = database.clone();
            writers.spawn(async move {
                for round in 0..10 {
                    let state = ["pending", "processing"][(number + round) % 2];
                    let mut transaction = database.write().await.unwrap();
                    for state in [state, "cancelled", state] {
                        let change = format!(
                            "UPDATE synced_jobs SET status = '{state}' \
                             WHERE my_job_id LIKE '%{number}'"
                        );
                        execute(&mut transaction, &change).await;
                    }
                    transaction.commit().await.unwrap();
                    merge_count_changes(&database).await.unwrap();
                }
            });
        }
        while let Some(done) = writers.join_next().await {
            done.unwrap();
        }
        checked_counts(&database).await;
    });
}
