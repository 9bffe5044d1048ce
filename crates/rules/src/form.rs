//! Forms with attributes of the crate `validator` for e-mail addresses, URLs, lengths and ranges:
//! sign-up, sign-in, e-mail, profile, contact, presets, plans, limits without a plan, webhook
//! services. Errors of `validator` become [`Violations`] here and nowhere else. The other inputs
//! (shares, groups, marks, edits, settings) use the functions of [`text`], because their rules are
//! more than a length or a range.
//!
//! A form says `#[validate(crate = "crate::form")]`, so that its derive calls the traits of this
//! module: they are where our rules differ from validator's. Texts are checked without the white
//! space around them. Passwords have no attributes, because an error of validator holds a copy of
//! its field.

use serde_json::Value;
use validator::ValidationErrorsKind;

pub(crate) use validator::{
    Validate, ValidateArgs, ValidateRange, ValidationError, ValidationErrors,
};

use crate::violation::{Code, Violation, Violations};
use crate::{email, text, url};

/// The length of a text in characters. validator's own takes `u64`, our limits are `usize`.
pub(crate) trait ValidateLength {
    /// Whether the length is within the bounds.
    fn validate_length(&self, min: Option<usize>, max: Option<usize>, equal: Option<usize>)
    -> bool;
}

impl ValidateLength for str {
    fn validate_length(
        &self,
        min: Option<usize>,
        max: Option<usize>,
        equal: Option<usize>,
    ) -> bool {
        let bound = |bound: Option<usize>| bound.and_then(|bound| u64::try_from(bound).ok());
        validator::ValidateLength::validate_length(
            self.trim(),
            bound(min),
            bound(max),
            bound(equal),
        )
    }
}

/// Validation of an e-mail address. validator's own refuses names that are not ASCII
/// (`олена@пошта.укр`) and names of more than 64 characters, and accepts domains without a dot
/// (`a@b`).
pub(crate) trait ValidateEmail {
    /// Whether it is a valid address.
    fn validate_email(&self) -> bool;
}

impl ValidateEmail for str {
    fn validate_email(&self) -> bool {
        email::looks_like_email(self.trim())
    }
}

/// Validation of a URL. validator's own accepts every scheme (`javascript:`), user names, and white
/// space within.
pub(crate) trait ValidateUrl {
    /// Whether it is a valid URL.
    fn validate_url(&self) -> bool;
}

impl ValidateUrl for str {
    fn validate_url(&self) -> bool {
        url::is_http(self.trim())
    }
}

/// The value for a range check: validator lets NaN pass every range, and its errors do not
/// distinguish NaN from infinity.
pub(crate) const fn finite(figure: f64) -> f64 {
    if figure.is_nan() {
        f64::MIN
    } else {
        figure.clamp(f64::MIN, f64::MAX)
    }
}

/// Checks the fields that have attributes. validator's errors have no order, so violations are in
/// the order of `fields`, and only the first one of each field is kept.
pub(crate) fn check(form: &impl Validate, fields: &[&str]) -> Violations {
    form.validate()
        .map_or_else(|errors| violations(errors, fields), |()| Violations::new())
}

fn violations(errors: ValidationErrors, fields: &[&str]) -> Violations {
    let mut errors = errors.into_errors();
    let mut failed: Vec<_> = fields
        .iter()
        .filter_map(|field| errors.remove_entry(*field))
        .collect();
    // A field that is missing in `fields` is still refused, in the order of names.
    // (Sorting them would add 2 kB to the browser's module.)
    while let Some(name) = errors.keys().min().cloned() {
        failed.extend(errors.remove_entry(&name));
    }
    let violations = failed.iter().map(|(field, kind)| match kind {
        ValidationErrorsKind::Field(errors) => errors
            .first()
            .map_or_else(|| unknown(field), |error| violation(field, error)),
        // No form has nested forms.
        ValidationErrorsKind::Struct(_) | ValidationErrorsKind::List(_) => unknown(field),
    });
    Violations(violations.collect())
}

/// The code in an attribute is that of a text that is too short, or the only one that its rule can
/// give. All other codes follow from the bounds and the value.
fn violation(field: &str, error: &ValidationError) -> Violation {
    let code = Code::parse(&error.code);
    let (min, max) = (error.params.get("min"), error.params.get("max"));
    match (error.params.get("value"), max) {
        (Some(Value::String(text)), Some(max)) => {
            let length = text::length(text.trim());
            if max.as_u64() < u64::try_from(length).ok() {
                let violation = Violation::new(field, Code::TooLong).with("max", max.clone());
                // The violation of an address does not include its length.
                return match code {
                    Some(Code::EmailRequired) => violation,
                    _ => violation.with("length", length),
                };
            }
        }
        (Some(Value::Number(value)), Some(max)) => {
            return match min {
                Some(min) if value.as_f64() < min.as_f64() => {
                    Violation::new(field, Code::NumberTooSmall).with("min", whole_zero(min))
                }
                _ => Violation::new(field, Code::NumberTooLarge).with("max", max.clone()),
            };
        }
        _ => {}
    }
    code.map_or_else(|| unknown(field), |code| Violation::new(field, code))
}

/// Bounds of zero are written as `0`, even for numbers with fractions.
fn whole_zero(bound: &Value) -> Value {
    if bound.as_f64() == Some(0.0) {
        return Value::from(0);
    }
    bound.clone()
}

/// An error without a code of ours. The tests below detect it.
fn unknown(field: &str) -> Violation {
    Violation::new(field, Code::WrongType)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Validate)]
    #[validate(crate = "crate::form")]
    struct Form<'a> {
        #[validate(length(min = 1, max = 3, code = "reason_required"))]
        name: &'a str,
        #[validate(url(code = "url_invalid"))]
        url: &'a str,
        #[validate(length(max = 2))]
        note: Option<String>,
        #[validate(range(min = 0.5, max = 2.0))]
        price: f64,
        #[validate(range(max = 5))]
        stars: Option<i64>,
        #[validate(custom(function = refused))]
        other: bool,
    }

    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "the derive passes a reference"
    )]
    fn refused(value: &bool) -> Result<(), ValidationError> {
        if *value {
            Err(ValidationError::new("labels_required"))
        } else {
            Ok(())
        }
    }

    const FINE: Form<'static> = Form {
        name: " abc ",
        url: "http://a",
        note: None,
        price: 0.5,
        stars: Some(5),
        other: false,
    };

    #[test]
    fn violations_are_created_from_validator_errors() {
        assert!(check(&FINE, &[]).is_empty());
        for (form, code, params) in [
            (Form { name: " ", ..FINE }, Code::ReasonRequired, ""),
            (
                Form {
                    name: " їжак ",
                    ..FINE
                },
                Code::TooLong,
                "length 4 max 3",
            ),
            (
                Form {
                    url: "ftp://a",
                    ..FINE
                },
                Code::UrlInvalid,
                "",
            ),
            (
                Form {
                    note: Some("abc".to_owned()),
                    ..FINE
                },
                Code::TooLong,
                "length 3 max 2",
            ),
            (Form { price: 0.0, ..FINE }, Code::NumberTooSmall, "min 0.5"),
            (
                Form {
                    price: finite(f64::NAN),
                    ..FINE
                },
                Code::NumberTooSmall,
                "min 0.5",
            ),
            (
                Form {
                    price: finite(f64::INFINITY),
                    ..FINE
                },
                Code::NumberTooLarge,
                "max 2.0",
            ),
            (
                Form {
                    stars: Some(6),
                    ..FINE
                },
                Code::NumberTooLarge,
                "max 5",
            ),
            (
                Form {
                    other: true,
                    ..FINE
                },
                Code::LabelsRequired,
                "",
            ),
        ] {
            let found = check(&form, &[]).0;
            assert_eq!(found.len(), 1, "{code}");
            assert_eq!(found[0].code, code);
            let actual: Vec<_> = found[0]
                .params
                .iter()
                .map(|(name, value)| format!("{name} {value}"))
                .collect();
            assert_eq!(actual.join(" "), params, "{code}");
        }
    }

    #[test]
    fn violations_are_in_the_order_of_the_fields() {
        let bad = Form {
            name: "",
            url: "",
            note: Some("abc".to_owned()),
            price: 9.0,
            stars: Some(9),
            other: true,
        };
        let all = ["other", "stars", "price", "note", "url", "name"];
        let found = check(&bad, &all).0;
        let found: Vec<_> = found.iter().map(|violation| &*violation.field).collect();
        assert_eq!(found, all);
        let found = check(&bad, &["url"]).0;
        let found: Vec<_> = found.iter().map(|violation| &*violation.field).collect();
        assert_eq!(found, ["url", "name", "note", "other", "price", "stars"]);
    }

    /// The derive takes codes as strings, which the compiler does not check.
    #[test]
    fn every_code_in_an_attribute_exists() {
        let sources = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut folders = vec![sources];
        let mut count = 0;
        while let Some(folder) = folders.pop() {
            for file in std::fs::read_dir(folder).expect("sources") {
                let path = file.expect("file").path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                if path.ends_with("form.rs") {
                    continue;
                }
                let text = std::fs::read_to_string(&path).expect("source");
                for rest in text.split("code = \"").skip(1) {
                    let code = rest.split('"').next().expect("code");
                    assert!(Code::parse(code).is_some(), "{}: {code}", path.display());
                    count += 1;
                }
            }
        }
        assert!(count > 10, "{count}");
    }
}
