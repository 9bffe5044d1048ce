//! Number formats of the languages.

use slovo_rules::locale::Locale;

/// A whole number with its digits in groups of three.
pub(super) fn grouped(locale: Locale, number: i64) -> String {
    let digits = number.to_string();
    let separator = match locale {
        Locale::Uk => '\u{a0}',
        Locale::En => ',',
    };
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(separator);
        }
        grouped.push(digit);
    }
    grouped
}

/// A percentage with its own decimals.
pub(super) fn percent(locale: Locale, share: f64) -> String {
    let number = share.to_string();
    match locale {
        Locale::Uk => format!("{}\u{a0}%", number.replace('.', ",")),
        Locale::En => format!("{number}%"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_formatted_in_each_language() {
        for (number, uk, en) in [
            (7, "7", "7"),
            (999, "999", "999"),
            (1_000, "1\u{a0}000", "1,000"),
            (1_234_567, "1\u{a0}234\u{a0}567", "1,234,567"),
        ] {
            assert_eq!(grouped(Locale::Uk, number), uk);
            assert_eq!(grouped(Locale::En, number), en);
        }
        assert_eq!(percent(Locale::Uk, 7.5), "7,5\u{a0}%");
        assert_eq!(percent(Locale::En, 45.0), "45%");
    }
}
