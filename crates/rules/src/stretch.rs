//! A stretch of a recording that is recognised again in place, in another language or mode.

use crate::edit::{SegmentRef, within};
use crate::language::{self, AUTO, Language};
use crate::mode::TranscriptionType;
use crate::seconds::rounded;
use crate::valid::Valid;
use crate::violation::{Code, Violation, Violations};

/// Longest stretch, in seconds.
pub const MAX_SECONDS: f64 = 300.0;
/// Shortest stretch, in seconds: less than a short word.
pub const MIN_SECONDS: f64 = 0.2;
/// Maximum number of segments in a request; five minutes of speech have far fewer.
pub const MAX_SEGMENTS: usize = 2000;
/// Longest id of a segment, in bytes: a number or a UUID.
const MAX_ID: usize = 36;

/// How many times its own length a recording may be recognised again in stretches, without using
/// the plan's minutes.
const ALLOWED_TIMES: f64 = 2.0;
/// Seconds that any recording may be recognised again, however short it is.
const ALLOWED_AT_LEAST: f64 = 600.0;

/// How many seconds of a recording may be recognised again in stretches, all together. They do not
/// count against the plan's minutes.
#[must_use]
pub fn allowance(recording_seconds: f64) -> f64 {
    (ALLOWED_TIMES * recording_seconds).max(ALLOWED_AT_LEAST)
}

wire_enum! {
    /// The state of recognising a stretch.
    StretchStatus {
        /// Waiting in the queue.
        Waiting => "waiting",
        /// Being recognised.
        Running => "running",
        /// The new words are in the text.
        Done => "done",
        /// It failed, and the text is unchanged.
        Failed => "failed",
    }
}

/// A request to recognise a stretch again.
#[derive(Debug, Clone, PartialEq)]
pub struct StretchForm {
    /// Start in seconds.
    pub start: f64,
    /// End in seconds.
    pub end: f64,
    /// A language code, or `auto`.
    pub language: String,
    /// The mode of recognition.
    pub mode: TranscriptionType,
    /// The segments in the stretch as its author saw them.
    pub segments: Vec<SegmentRef>,
}

/// A validated stretch.
#[derive(Debug, Clone, PartialEq)]
pub struct StretchPlan {
    /// Start in seconds, in milliseconds precision.
    pub start: f64,
    /// End in seconds, at least 0.2 and at most 300 after `start`.
    pub end: f64,
    /// The language; `None` to detect it.
    pub language: Option<Language>,
    /// The mode of recognition.
    pub mode: TranscriptionType,
    /// The segments in the stretch as its author saw them.
    pub segments: Vec<SegmentRef>,
}

impl StretchPlan {
    /// Its length in seconds.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.end - self.start
    }
}

/// Checks a stretch of a recording that ends at `limit`, in seconds; infinite if that is unknown.
///
/// # Errors
/// All violations, in the order of the fields.
pub fn validate(form: &StretchForm, limit: f64) -> Result<Valid<StretchPlan>, Violations> {
    let mut v = Violations::new();
    let (start, end) = times(&mut v, form, limit);
    let language = spoken(&mut v, form);
    if form.segments.len() > MAX_SEGMENTS {
        v.push(Violation::new("segments", Code::TooMany).with("max", MAX_SEGMENTS));
    } else {
        for (position, segment) in form.segments.iter().enumerate() {
            if segment.id.is_empty() || segment.id.len() > MAX_ID {
                v.push(Violation::new(
                    format!("segments.{position}.id"),
                    Code::IdInvalid,
                ));
            }
        }
    }
    v.or(|| {
        Valid::new(StretchPlan {
            start,
            end,
            language,
            mode: form.mode,
            segments: form.segments.clone(),
        })
    })
}

/// The rounded start and end, with their violations.
fn times(v: &mut Violations, form: &StretchForm, limit: f64) -> (f64, f64) {
    let (start, end) = (rounded(form.start), rounded(form.end));
    if !form.start.is_finite() || form.start < 0.0 {
        v.push(Violation::new("start", Code::NumberTooSmall).with("min", 0));
        return (start, end);
    }
    let length = match form.end.is_finite() {
        true => end - start,
        false => form.end,
    };
    if length.is_nan() || length < MIN_SECONDS {
        v.add("end", Code::SpanTooShort);
    } else if length > MAX_SECONDS {
        let latest = rounded(start + MAX_SECONDS);
        v.push(Violation::new("end", Code::NumberTooLarge).with("max", latest));
    } else if let Err(violation) = within(end, limit) {
        v.push(violation.under("end"));
    }
    (start, end)
}

fn spoken(v: &mut Violations, form: &StretchForm) -> Option<Language> {
    if form.language == AUTO {
        return None;
    }
    let code = form.language.as_str();
    let found = Language::parse(code).filter(|_| language::offered(form.mode).contains(&code));
    if found.is_none() {
        let unknown = Violation::new("language", Code::LanguageUnsupported);
        v.push(unknown.with_echo("language", code));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form() -> StretchForm {
        StretchForm {
            start: 10.0,
            end: 20.0,
            language: "uk".to_owned(),
            mode: TranscriptionType::Full,
            segments: vec![SegmentRef {
                id: "3".to_owned(),
                revision: 1,
            }],
        }
    }

    fn refused(form: &StretchForm) -> Vec<(String, Code)> {
        let violations = validate(form, 60.0).expect_err("refused").0;
        violations.into_iter().map(|v| (v.field, v.code)).collect()
    }

    #[test]
    fn a_stretch_within_the_recording_is_accepted() {
        let plan = validate(&form(), 60.0).expect("accepted");
        assert_eq!((plan.language, plan.seconds()), (Some(Language::Uk), 10.0));
        let auto = StretchForm {
            language: AUTO.to_owned(),
            end: 60.0,
            ..form()
        };
        assert_eq!(validate(&auto, 60.0).expect("accepted").language, None);
    }

    #[test]
    fn impossible_times_are_refused() {
        for (start, end, field, code) in [
            (-0.1, 5.0, "start", Code::NumberTooSmall),
            (f64::NAN, 5.0, "start", Code::NumberTooSmall),
            (5.0, f64::NAN, "end", Code::SpanTooShort),
            (5.0, 5.1, "end", Code::SpanTooShort),
            (5.0, 1.0, "end", Code::SpanTooShort),
            (5.0, 60.1, "end", Code::NumberTooLarge),
            (0.0, 300.1, "end", Code::NumberTooLarge),
            (0.0, f64::INFINITY, "end", Code::NumberTooLarge),
            (f64::INFINITY, f64::INFINITY, "start", Code::NumberTooSmall),
        ] {
            let form = StretchForm {
                start,
                end,
                ..form()
            };
            assert_eq!(refused(&form), [(field.to_owned(), code)], "{start}, {end}");
        }
        let whole = StretchForm {
            start: 0.0,
            end: 300.0,
            ..form()
        };
        assert!(validate(&whole, f64::INFINITY).is_ok());
    }

    #[test]
    fn languages_depend_on_the_mode() {
        let lite = |language: &str| StretchForm {
            language: language.to_owned(),
            mode: TranscriptionType::Lite,
            ..form()
        };
        assert!(validate(&lite("en"), 60.0).is_ok());
        assert!(validate(&lite(AUTO), 60.0).is_ok());
        let unsupported = [("language".to_owned(), Code::LanguageUnsupported)];
        assert_eq!(refused(&lite("uk")), unsupported);
        let unknown = StretchForm {
            language: "xx".to_owned(),
            ..form()
        };
        assert_eq!(refused(&unknown), unsupported);
    }

    #[test]
    fn ids_of_segments_are_bounded() {
        let named = |id: String| StretchForm {
            segments: vec![SegmentRef { id, revision: 0 }],
            ..form()
        };
        for id in [String::new(), "7".repeat(37)] {
            let field = "segments.0.id".to_owned();
            assert_eq!(refused(&named(id)), [(field, Code::IdInvalid)]);
        }
        let many = StretchForm {
            segments: vec![form().segments.remove(0); MAX_SEGMENTS + 1],
            ..form()
        };
        assert_eq!(refused(&many), [("segments".to_owned(), Code::TooMany)]);
    }

    #[test]
    fn the_allowance_grows_with_the_recording() {
        assert_eq!(allowance(30.0), 600.0);
        assert_eq!(allowance(3600.0), 7200.0);
        assert_eq!(allowance(f64::NAN), 600.0);
    }
}
