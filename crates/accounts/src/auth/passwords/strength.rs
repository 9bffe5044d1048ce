//! Estimates how easy a password is to guess, with zxcvbn (Wheeler, USENIX Security 2016).
//!
//! The rules require length and character classes, which "Password123!" meets. This check runs on
//! the server only: the dictionaries would make the browser's bundle five times as large.

use zxcvbn::{Score, zxcvbn};

/// Lowest accepted score: guessing takes a million attempts or more, which the sign-in limits
/// prevent.
const MIN_SCORE: Score = Score::Two;

/// A word that attackers try on every such server.
const PRODUCT: &str = "slovo";

/// Whether a password is too easy to guess for an attacker who knows `about` its owner.
pub(super) fn too_weak(password: &str, about: &[String]) -> bool {
    let mut known_words = vec![PRODUCT];
    for text in about {
        known_words.push(text);
        known_words.extend(text.split('@'));
        known_words.extend(text.split(['@', '.', '-', '_', '+', ' ']));
    }
    known_words.retain(|word| !word.is_empty());
    zxcvbn(password, &known_words).score() < MIN_SCORE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_and_repetitive_passwords_are_weak_and_sentences_are_not() {
        for weak in [
            "Password123!",
            "Qwerty123456!",
            "Aa1!Aa1!Aa1!",
            "12345678",
            "letmein1",
        ] {
            assert!(too_weak(weak, &[]), "{weak}");
        }
        for strong in [
            "Correct-Horse-7",
            "Кориця-2026!",
            "лелека над Россю",
            "q7#Lm!x2Rk9v",
        ] {
            assert!(!too_weak(strong, &[]), "{strong}");
        }
    }

    #[test]
    fn known_data_of_the_owner_makes_a_password_weak() {
        let password = "olha.shevchuk";
        assert!(!too_weak(password, &[]));
        assert!(too_weak(
            password,
            &["olha.shevchuk@example.com".to_owned()]
        ));
    }

    #[test]
    fn long_repetitive_passwords_are_checked_without_failure() {
        for part in ["a", "Aa1!", "p4ssw0rd", "ї", "\0", "🎧"] {
            let _ = too_weak(&part.repeat(1024 / part.len()), &[]);
        }
    }
}
