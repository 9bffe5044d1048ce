//! The end of a month of minutes.

use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan, Zoned};

/// The first end of a month after `now`, in Unix milliseconds: a whole number of months after
/// `last`, the previous end, on the same day and hour (or the last day of a shorter month); without
/// `last`, the end of the calendar month in UTC.
pub(super) fn next(last: Option<i64>, now: i64) -> i64 {
    after(last, now).unwrap_or_else(|error| {
        // Happens only for times thousands of years away.
        tracing::error!(%error, "no next month");
        now.saturating_add(30 * 24 * 3600 * 1000)
    })
}

fn after(last: Option<i64>, now: i64) -> Result<i64, jiff::Error> {
    let utc =
        |ms| Ok::<Zoned, jiff::Error>(Timestamp::from_millisecond(ms)?.to_zoned(TimeZone::UTC));
    let today = utc(now)?;
    let Some(last) = last else {
        let end = today
            .first_of_month()?
            .start_of_day()?
            .checked_add(1.month())?;
        return Ok(end.timestamp().as_millisecond());
    };
    let last = utc(last)?;
    // Always counted from the original day, so that the 31st does not become the 28th permanently.
    let passed = (i64::from(today.year()) - i64::from(last.year())) * 12 + i64::from(today.month())
        - i64::from(last.month());
    let mut end = last.checked_add(passed.max(0).months())?;
    let mut months = passed.max(0);
    while end <= today {
        months += 1;
        end = last.checked_add(months.months())?;
    }
    Ok(end.timestamp().as_millisecond())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(text: &str) -> i64 {
        text.parse::<Timestamp>().unwrap().as_millisecond()
    }

    #[test]
    fn the_next_reset_is_on_the_same_day_of_the_month() {
        for (last, now, expected) in [
            (None, "2026-03-01T12:00:00Z", "2026-04-01T00:00:00Z"),
            (None, "2026-12-31T23:59:59Z", "2027-01-01T00:00:00Z"),
            (
                Some("2026-04-01T00:00:00Z"),
                "2026-04-01T00:00:00Z",
                "2026-05-01T00:00:00Z",
            ),
            (
                Some("2026-04-01T00:00:00Z"),
                "2026-04-30T23:00:00Z",
                "2026-05-01T00:00:00Z",
            ),
            // No activity for half a year.
            (
                Some("2026-04-15T06:30:00Z"),
                "2026-10-20T00:00:00Z",
                "2026-11-15T06:30:00Z",
            ),
            (
                Some("2026-01-31T00:00:00Z"),
                "2026-02-01T00:00:00Z",
                "2026-02-28T00:00:00Z",
            ),
            (
                Some("2026-01-31T00:00:00Z"),
                "2026-03-01T00:00:00Z",
                "2026-03-31T00:00:00Z",
            ),
            // A future date is kept.
            (
                Some("2026-06-01T00:00:00Z"),
                "2026-03-01T00:00:00Z",
                "2026-06-01T00:00:00Z",
            ),
        ] {
            assert_eq!(next(last.map(ms), ms(now)), ms(expected), "{last:?} {now}");
        }
    }
}
