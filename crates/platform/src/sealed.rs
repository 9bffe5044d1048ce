//! Third-party secrets that must be stored and used again, such as the key of a language model. The
//! database holds them encrypted (ChaCha20-Poly1305) with a key derived from the server's secret,
//! so that a copy of the database does not reveal them.

use anyhow::{Result, anyhow, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};

use crate::random::Random;
use crate::secret::Secret;

/// Seals a text for one purpose and one place; it opens only for the same two. Nonces are random
/// and have 96 bits, which suffices for the few secrets that administrators enter.
///
/// # Errors
/// Never for texts of a length that can be entered.
pub fn seal(
    secret: &Secret,
    purpose: &str,
    place: &str,
    text: &str,
    random: &dyn Random,
) -> Result<String> {
    let mut nonce = [0; NONCE_LEN];
    random.fill(&mut nonce);
    let mut sealed = text.as_bytes().to_vec();
    key(secret, purpose)?
        .seal_in_place_append_tag(
            Nonce::assume_unique_for_key(nonce),
            Aad::from(place.as_bytes()),
            &mut sealed,
        )
        .map_err(|_| anyhow!("a secret cannot be sealed"))?;
    Ok(STANDARD_NO_PAD.encode([&nonce[..], &sealed].concat()))
}

/// Opens a sealed text.
///
/// # Errors
/// The text was sealed with another secret, for another purpose or place, or is damaged.
pub fn open(secret: &Secret, purpose: &str, place: &str, sealed: &str) -> Result<String> {
    let mut bytes = STANDARD_NO_PAD.decode(sealed)?;
    ensure!(bytes.len() > NONCE_LEN, "a sealed secret is too short");
    let (nonce, sealed) = bytes.split_at_mut(NONCE_LEN);
    let nonce = Nonce::try_assume_unique_for_key(nonce);
    let nonce = nonce.map_err(|_| anyhow!("a sealed secret is too short"))?;
    let text = key(secret, purpose)?
        .open_in_place(nonce, Aad::from(place.as_bytes()), sealed)
        .map_err(|_| anyhow!("a stored secret does not open: it was sealed by another server"))?;
    Ok(String::from_utf8(text.to_vec())?)
}

fn key(secret: &Secret, purpose: &str) -> Result<LessSafeKey> {
    let key = UnboundKey::new(&CHACHA20_POLY1305, &secret.derive(purpose));
    key.map(LessSafeKey::new)
        .map_err(|_| anyhow!("there is no key to seal with"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::SeededRandom;

    #[test]
    fn a_sealed_value_opens_only_in_its_own_context() {
        let random = SeededRandom::new(1);
        let secret = Secret::given("01234567890123456789012345678901").unwrap();
        let other = Secret::given("01234567890123456789012345678902").unwrap();
        let sealed = seal(&secret, "keys", "https://a", "sk-hunter2", &random).unwrap();
        assert!(!sealed.contains("hunter2"));
        let again = seal(&secret, "keys", "https://a", "sk-hunter2", &random).unwrap();
        assert_ne!(sealed, again, "each has a nonce of its own");
        assert_eq!(
            open(&secret, "keys", "https://a", &sealed).unwrap(),
            "sk-hunter2"
        );
        assert!(open(&other, "keys", "https://a", &sealed).is_err());
        assert!(open(&secret, "others", "https://a", &sealed).is_err());
        assert!(open(&secret, "keys", "https://b", &sealed).is_err());
        for damaged in ["", "AAAA", "not base64!", &sealed[..sealed.len() - 2]] {
            assert!(
                open(&secret, "keys", "https://a", damaged).is_err(),
                "{damaged}"
            );
        }
    }
}
