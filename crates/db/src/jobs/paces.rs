//! Recognition speed of the machines: table `recognition_paces`.

use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// Number of runs in the moving average: older runs lose weight, so that it soon reflects a machine
/// that became faster or slower.
const AVERAGED_RUNS: i64 = 10;

/// What the speed is measured for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpeedKey<'a> {
    /// The machine's name.
    pub host: &'a str,
    /// Id of the model.
    pub model: &'a str,
    /// Windows recognised at the same time.
    pub threads: i64,
}

/// A measured speed.
struct Pace {
    pace: f64,
}

row_columns! {
    fn read() -> Pace from "recognition_paces" by "model" {
        pace: number,
    }
}

statements! {
    const SELECT_PACE: BOTH -> Pace =
        "SELECT model, pace FROM recognition_paces \
         WHERE host = $1 AND model = $2 AND threads = $3";
}

/// Seconds of work per second of audio; `None` before the first measurement.
///
/// # Errors
/// A row that cannot be read.
pub async fn find(connection: &mut Connection, machine: SpeedKey<'_>) -> Result<Option<f64>> {
    let row = sqlx::query(SELECT_PACE)
        .bind(machine.host)
        .bind(machine.model)
        .bind(machine.threads)
        .fetch_optional(connection)
        .await?;
    let found = row.as_ref().map(read).transpose()?;
    Ok(found.map(|found| found.pace))
}

statements! {
    const UPSERT_PACE: BOTH =
        "INSERT INTO recognition_paces (host, model, threads, pace, measured, measured_at) \
         VALUES ($1, $2, $3, $4, 1, $5) ON CONFLICT (host, model, threads) DO UPDATE SET \
         pace = recognition_paces.pace + (excluded.pace - recognition_paces.pace) \
         / (CASE WHEN recognition_paces.measured < $6 \
         THEN recognition_paces.measured + 1 ELSE $6 END), \
         measured = CASE WHEN recognition_paces.measured < $6 \
         THEN recognition_paces.measured + 1 ELSE $6 END, \
         measured_at = excluded.measured_at";
}

/// Adds a measurement: `pace` seconds of work per second of audio. Values that are not positive
/// numbers are ignored.
///
/// # Errors
/// When the database fails.
pub async fn record(
    connection: &mut Connection,
    machine: SpeedKey<'_>,
    pace: f64,
    now: i64,
) -> Result<()> {
    if !(pace.is_finite() && pace > 0.0) {
        return Ok(());
    }
    sqlx::query(UPSERT_PACE)
        .bind(machine.host)
        .bind(machine.model)
        .bind(machine.threads)
        .bind(pace)
        .bind(now)
        .bind(AVERAGED_RUNS)
        .execute(connection)
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Backend, apply, each_database, with_database};

    const BASE: SpeedKey<'_> = SpeedKey {
        host: "machine",
        model: "base-q8_0",
        threads: 2,
    };

    #[apply(each_database!)]
    fn recent_speeds_are_averaged_per_machine_model_and_thread_count(backend: Backend) {
        with_database(backend, async |db| {
            let mut transaction = db.write().await.unwrap();
            assert_eq!(find(&mut transaction, BASE).await.unwrap(), None);
            for pace in [0.1, 0.2, 0.3] {
                record(&mut transaction, BASE, pace, 1).await.unwrap();
            }
            let found = find(&mut transaction, BASE).await.unwrap().unwrap();
            assert!((found - 0.2).abs() < 1e-9, "{found}");
            for other in [
                SpeedKey { threads: 4, ..BASE },
                SpeedKey {
                    host: "other",
                    ..BASE
                },
                SpeedKey {
                    model: "tiny.en",
                    ..BASE
                },
            ] {
                assert_eq!(find(&mut transaction, other).await.unwrap(), None);
            }
            for nonsense in [0.0, -1.0, f64::NAN, f64::INFINITY] {
                record(&mut transaction, BASE, nonsense, 2).await.unwrap();
            }
            assert_eq!(find(&mut transaction, BASE).await.unwrap(), Some(found));
            transaction.commit().await.unwrap();

            // The next process finds it too, and old values lose weight.
            let mut transaction = db.write().await.unwrap();
            assert_eq!(find(&mut transaction, BASE).await.unwrap(), Some(found));
            for _ in 0..60 {
                record(&mut transaction, BASE, 1.0, 3).await.unwrap();
            }
            let found = find(&mut transaction, BASE).await.unwrap().unwrap();
            assert!(found > 0.99, "{found}");
        });
    }
}
