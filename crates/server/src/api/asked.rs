//! What lists are asked for: a text, a time.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

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
