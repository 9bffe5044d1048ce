//! API keys: how they are made and recognised.

use slovo_rules::api_key::KEY_PREFIX;

use slovo_platform::random::Random;

use super::session::{new_token, token_hash};

/// Number of characters at the end of a key that are shown in lists.
const HINT: usize = 4;

/// A new secret, which is shown once.
pub struct NewKey {
    /// The key: [`KEY_PREFIX`] and 43 characters with 256 random bits.
    pub secret: String,
    /// Its stored form.
    pub hash: String,
    /// Its last characters.
    pub hint: String,
}

impl NewKey {
    /// Makes a key.
    #[must_use]
    pub fn new(random: &dyn Random) -> Self {
        let secret = format!("{KEY_PREFIX}{}", new_token(random));
        let hint = secret.get(secret.len() - HINT..).unwrap_or_default();
        Self {
            hash: token_hash(&secret),
            hint: hint.to_owned(),
            secret,
        }
    }
}

/// The stored form of a token if it looks like a key, otherwise it is an access token.
#[must_use]
pub fn hash_of_key(token: &str) -> Option<String> {
    token.starts_with(KEY_PREFIX).then(|| token_hash(token))
}

#[cfg(test)]
mod tests {
    use super::*;
    use slovo_platform::random::SystemRandom;

    #[test]
    fn keys_are_long_distinct_and_recognised() {
        let (one, other) = (NewKey::new(&SystemRandom), NewKey::new(&SystemRandom));
        assert_ne!(one.secret, other.secret);
        assert_eq!(one.secret.len(), KEY_PREFIX.len() + 43);
        assert!(one.secret.ends_with(&one.hint) && one.hint.len() == HINT);
        assert_eq!(hash_of_key(&one.secret), Some(one.hash.clone()));
        assert!(!one.hash.contains(&one.hint));
        assert_eq!(hash_of_key("eyJhbGciOiJIUzI1NiJ9.e30.x"), None);
    }
}
