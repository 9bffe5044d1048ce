//! What lists are asked for: a text, a time.

use axum::http::StatusCode;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use slovo_rules::job::JobStatus;

use crate::http::Problem;

/// The longest searched text, in characters: no name is longer.
const LONGEST_SEARCH: usize = 255;

/// A searched text. No name has control characters, and PostgreSQL takes no text with a NUL.
pub(super) fn plain(asked: Option<&str>) -> String {
    let characters = asked.unwrap_or_default().trim().chars();
    characters
        .filter(|c| !c.is_control())
        .take(LONGEST_SEARCH)
        .collect()
}

/// A query that cannot be understood.
pub(super) fn malformed(detail: &str) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, "malformed_query").detail(detail)
}

/// The states of jobs that are asked for; `all` or nothing is every one.
pub(super) fn statuses(asked: Option<&str>) -> Result<Vec<JobStatus>, Problem> {
    match asked {
        None | Some("" | "all") => Ok(Vec::new()),
        Some(name) => {
            let status = JobStatus::parse(name);
            let status = status.ok_or_else(|| malformed("status is no state of a job"))?;
            Ok(status.filter().to_vec())
        }
    }
}

/// From when and until when, each if it is asked for.
pub(super) fn period(
    from: Option<&str>,
    to: Option<&str>,
) -> Result<(Option<i64>, Option<i64>), Problem> {
    let time = |asked: Option<&str>, end_of_day| match asked {
        None | Some("") => Ok(None),
        Some(text) => match moment(text, end_of_day) {
            Some(ms) => Ok(Some(ms)),
            None => Err(malformed("from and to are dates or times as in RFC 3339")),
        },
    };
    Ok((time(from, false)?, time(to, true)?))
}

/// A time in Unix milliseconds; of a date its beginning, or the end.
pub(super) fn moment(text: &str, end_of_day: bool) -> Option<i64> {
    if let Ok(time) = text.parse::<Timestamp>() {
        return Some(time.as_millisecond());
    }
    let date: Date = text.parse().ok()?;
    let date = if end_of_day {
        date.tomorrow().ok()?
    } else {
        date
    };
    let midnight = date.to_zoned(TimeZone::UTC).ok()?;
    Some(midnight.timestamp().as_millisecond())
}
