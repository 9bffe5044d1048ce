//! Signatures of Standard Webhooks: HMAC-SHA256 of `id.timestamp.body`, in Base64 behind `v1,`.
//!
//! Keys are derived from the server's secret, the service's id and the key's number, so that no
//! row, backup or log contains them.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use uuid::Uuid;

use slovo_platform::secret::Secret;

/// A service's key.
pub struct Key(Vec<u8>);

impl Key {
    /// The key with this number.
    #[must_use]
    pub fn of(secret: &Secret, service: Uuid, number: i64) -> Self {
        let purpose = format!("webhook signature: {service}: {number}");
        Self(secret.derive(&purpose).to_vec())
    }

    /// In the format that receivers' libraries expect.
    #[must_use]
    pub fn shown(&self) -> String {
        format!("whsec_{}", BASE64_STANDARD.encode(&self.0))
    }

    /// The signature of a message.
    #[must_use]
    pub fn sign(&self, id: &str, timestamp: i64, body: &[u8]) -> String {
        // HMAC accepts keys of any length.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) else {
            unreachable!("a key of {} bytes is refused", self.0.len());
        };
        mac.update(format!("{id}.{timestamp}.").as_bytes());
        mac.update(body);
        let signature = BASE64_STANDARD.encode(mac.finalize().into_bytes());
        format!("v1,{signature}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_matches_the_example_of_standard_webhooks() {
        let key = BASE64_STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        let key = Key(key.unwrap());
        let body = br#"{"test": 2432232314}"#;
        assert_eq!(
            key.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, body),
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
        );
        assert_eq!(key.shown(), "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    }

    #[test]
    fn every_service_and_key_number_has_its_own_key() {
        let secret = Secret::given(&"a".repeat(32)).unwrap();
        let key = |service, number| Key::of(&secret, Uuid::from_u128(service), number).shown();
        assert_eq!(key(1, 1), key(1, 1));
        assert_ne!(key(1, 1), key(1, 2));
        assert_ne!(key(1, 1), key(2, 1));
        let bytes = BASE64_STANDARD.decode(&key(1, 1)["whsec_".len()..]);
        // The convention asks for 24 to 64.
        assert_eq!(bytes.unwrap().len(), 32);
    }
}
