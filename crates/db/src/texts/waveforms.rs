//! Waveforms of recordings, for the player.

use uuid::Uuid;

use crate::core::statement::{row_columns, statements};
use crate::{Connection, Error, Result};

/// The peak levels of a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Waveform {
    /// Seconds.
    pub duration: f64,
    /// 0 to 255 each, for intervals of equal length; `None` if they cannot be computed.
    pub peaks: Option<Vec<u8>>,
}

statements! {
    const UPSERT_WAVEFORM: BOTH =
        "INSERT INTO waveforms (my_job_id, duration, peaks) VALUES ($1, $2, $3) \
         ON CONFLICT (my_job_id) DO UPDATE SET duration = excluded.duration, \
         peaks = excluded.peaks";
}

/// Stores the waveform, replacing an earlier one.
///
/// # Errors
/// When the database fails, or the job was deleted.
pub async fn store(connection: &mut Connection, job_id: Uuid, waveform: &Waveform) -> Result<()> {
    let peaks = waveform.peaks.as_ref().map(|peaks| {
        let digits = peaks.iter().map(|peak| format!("{peak:02x}"));
        digits.collect::<String>()
    });
    sqlx::query(UPSERT_WAVEFORM)
        .bind(job_id.to_string())
        .bind(waveform.duration)
        .bind(peaks)
        .execute(connection)
        .await?;
    Ok(())
}

/// A waveform as it is stored: peaks in hexadecimal, two digits each.
struct WaveformRow {
    duration: f64,
    peaks: Option<String>,
}

row_columns! {
    fn read() -> WaveformRow from "waveforms" by "my_job_id" {
        duration: number,
        peaks: text_or_none,
    }
}

statements! {
    const SELECT_WAVEFORM: BOTH -> WaveformRow =
        "SELECT my_job_id, duration, peaks FROM waveforms WHERE my_job_id = $1";
}

/// The job's waveform, if it was computed.
///
/// # Errors
/// A row that cannot be read.
pub async fn find(connection: &mut Connection, job_id: Uuid) -> Result<Option<Waveform>> {
    let row = sqlx::query(SELECT_WAVEFORM)
        .bind(job_id.to_string())
        .fetch_optional(connection)
        .await?;
    let Some(row) = row else { return Ok(None) };
    let row = read(&row)?;
    let error = |reason: &dyn std::fmt::Display| {
        Error::row("waveforms", job_id.to_string(), format!("peaks: {reason}"))
    };
    let peaks = row.peaks.map(|digits| {
        let pairs = digits.as_bytes().chunks(2);
        pairs
            .map(|pair| {
                let pair = std::str::from_utf8(pair).map_err(|e| error(&e))?;
                u8::from_str_radix(pair, 16).map_err(|e| error(&e))
            })
            .collect::<Result<Vec<u8>>>()
    });
    Ok(Some(Waveform {
        duration: row.duration,
        peaks: peaks.transpose()?,
    }))
}
