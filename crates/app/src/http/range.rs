//! The `Range` header of RFC 9110, section 14, for a file whose length is known.

use axum::http::{HeaderMap, HeaderValue, header};

/// The part of a file in a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The whole file, status 200.
    Whole,
    /// `start..=end`, status 206.
    Bytes {
        /// The first byte, from 0.
        start: u64,
        /// The last byte, inclusive.
        end: u64,
    },
    /// The range is outside of the file, status 416.
    Unsatisfiable,
}

/// The part of a file of `length` bytes with the validator `etag` that a request asks for.
///
/// The whole file if the header is invalid, has another unit or several ranges (the RFC allows
/// this), or if `If-Range` does not match `etag`.
#[must_use]
pub fn requested(headers: &HeaderMap, length: u64, etag: &HeaderValue) -> Part {
    let mut ranges = headers.get_all(header::RANGE).iter();
    let (Some(range), None) = (ranges.next(), ranges.next()) else {
        return Part::Whole;
    };
    if headers
        .get(header::IF_RANGE)
        .is_some_and(|named| named != etag)
    {
        return Part::Whole;
    }
    range
        .to_str()
        .ok()
        .and_then(|text| single(text, length))
        .unwrap_or(Part::Whole)
}

/// Reads `bytes=a-b`, `bytes=a-` and `bytes=-n`; `None` for anything else.
fn single(text: &str, length: u64) -> Option<Part> {
    let (unit, set) = text.split_once('=')?;
    if !unit.trim().eq_ignore_ascii_case("bytes") {
        return None;
    }
    let (first, last) = set.trim().split_once('-')?;
    if first.is_empty() {
        let suffix = digits(last)?;
        return Some(if suffix == 0 || length == 0 {
            Part::Unsatisfiable
        } else {
            Part::Bytes {
                start: length.saturating_sub(suffix),
                end: length - 1,
            }
        });
    }
    let start = digits(first)?;
    let end = if last.is_empty() {
        u64::MAX
    } else {
        digits(last)?
    };
    if end < start {
        return None;
    }
    Some(if start >= length {
        Part::Unsatisfiable
    } else {
        Part::Bytes {
            start,
            end: end.min(length - 1),
        }
    })
}

/// A number of any length, saturated at `u64::MAX`.
fn digits(text: &str) -> Option<u64> {
    (!text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()))
        .then(|| text.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(range: &str, length: u64) -> Part {
        let mut headers = HeaderMap::new();
        headers.insert(header::RANGE, HeaderValue::from_str(range).unwrap());
        requested(&headers, length, &HeaderValue::from_static("\"a\""))
    }

    #[test]
    fn single_ranges_are_clamped_to_the_file_size() {
        let bytes = |start, end| Part::Bytes { start, end };
        assert_eq!(part("bytes=0-0", 10), bytes(0, 0));
        assert_eq!(part("bytes=2-5", 10), bytes(2, 5));
        assert_eq!(part("bytes=2-", 10), bytes(2, 9));
        assert_eq!(part("bytes=2-99999999999999999999999", 10), bytes(2, 9));
        assert_eq!(part("bytes=-3", 10), bytes(7, 9));
        assert_eq!(part("bytes=-30", 10), bytes(0, 9));
        assert_eq!(part("Bytes=9-", 10), bytes(9, 9));
    }

    #[test]
    fn ranges_beyond_the_end_are_unsatisfiable() {
        for range in [
            "bytes=10-",
            "bytes=10-12",
            "bytes=-0",
            "bytes=99999999999999999999999-",
        ] {
            assert_eq!(part(range, 10), Part::Unsatisfiable, "{range}");
        }
        assert_eq!(part("bytes=0-", 0), Part::Unsatisfiable);
        assert_eq!(part("bytes=-1", 0), Part::Unsatisfiable);
    }

    #[test]
    fn malformed_ranges_return_the_complete_file() {
        for range in [
            "bytes=5-2",
            "bytes=a-b",
            "bytes=",
            "bytes=-",
            "lines=1-2",
            "bytes",
            "bytes=1-2,4-5",
            "bytes=+1-2",
        ] {
            assert_eq!(part(range, 10), Part::Whole, "{range}");
        }
    }

    #[test]
    fn a_range_applies_only_if_if_range_matches_the_etag() {
        let etag = HeaderValue::from_static("\"a\"");
        let mut headers = HeaderMap::new();
        headers.insert(header::RANGE, HeaderValue::from_static("bytes=1-2"));
        headers.insert(header::IF_RANGE, etag.clone());
        assert_eq!(
            requested(&headers, 10, &etag),
            Part::Bytes { start: 1, end: 2 }
        );
        for other in ["\"b\"", "W/\"a\"", "Wed, 21 Oct 2026 07:28:00 GMT"] {
            headers.insert(header::IF_RANGE, HeaderValue::from_static(other));
            assert_eq!(requested(&headers, 10, &etag), Part::Whole, "{other}");
        }
    }
}
