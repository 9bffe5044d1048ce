//! Parses query parameters of lists: search text, job status, time period.

use axum::http::StatusCode;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use slovo_rules::codes::ProblemCode;
use slovo_rules::job::JobStatus;

use super::Problem;

/// Longest search text, in characters: as long as the longest name.
const LONGEST_SEARCH: usize = 255;

/// The search text without control characters: no name contains any, and PostgreSQL rejects NUL.
pub fn plain(text: Option<&str>) -> String {
    let characters = text.unwrap_or_default().trim().chars();
    characters
        .filter(|c| !c.is_control())
        .take(LONGEST_SEARCH)
        .collect()
}

/// The problem for a query that cannot be parsed.
pub fn malformed(detail: &str) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, ProblemCode::MalformedQuery).detail(detail)
}

/// The requested job states; an empty list means all states.
pub fn statuses(text: Option<&str>) -> Result<Vec<JobStatus>, Problem> {
    match text {
        None | Some("" | "all") => Ok(Vec::new()),
        Some(name) => {
            let status = JobStatus::parse(name);
            let status = status.ok_or_else(|| malformed("status is no state of a job"))?;
            Ok(status.filter().to_vec())
        }
    }
}

/// Start and end of a period in Unix milliseconds, each optional.
pub fn period(from: Option<&str>, to: Option<&str>) -> Result<(Option<i64>, Option<i64>), Problem> {
    let time = |input: Option<&str>, end_of_day| match input {
        None | Some("") => Ok(None),
        Some(text) => match moment(text, end_of_day) {
            Some(ms) => Ok(Some(ms)),
            None => Err(malformed(
                "from and to must be dates or times in RFC 3339 format",
            )),
        },
    };
    Ok((time(from, false)?, time(to, true)?))
}

/// Parses an RFC 3339 time or date (UTC) as Unix milliseconds. With `end_of_day`, a date stands for
/// its end.
pub fn moment(text: &str, end_of_day: bool) -> Option<i64> {
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
