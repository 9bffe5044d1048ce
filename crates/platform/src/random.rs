//! Randomness as a parameter.

use rand::TryRng;
use rand::rngs::SysRng;

/// A source of unpredictable bytes. Tests use a seeded one.
pub trait Random: Send + Sync {
    /// Fills the buffer.
    fn fill(&self, buffer: &mut [u8]);

    /// A random (version 4) UUID.
    fn uuid(&self) -> String {
        let mut bytes = [0; 16];
        self.fill(&mut bytes);
        uuid::Builder::from_random_bytes(bytes)
            .into_uuid()
            .to_string()
    }

    /// A UUID that sorts by time (version 7), for rows.
    fn uuid_at(&self, now_ms: i64) -> String {
        let mut bytes = [0; 10];
        self.fill(&mut bytes);
        let milliseconds = u64::try_from(now_ms).unwrap_or(0);
        uuid::Builder::from_unix_timestamp_millis(milliseconds, &bytes)
            .into_uuid()
            .to_string()
    }
}

/// The operating system's randomness.
pub struct SystemRandom;

impl Random for SystemRandom {
    fn fill(&self, buffer: &mut [u8]) {
        // Fails only if the system has no source of randomness; keys made without one would be
        // worse than no service.
        #[expect(clippy::expect_used, reason = "there is no way to go on safely")]
        SysRng
            .try_fill_bytes(buffer)
            .expect("the operating system gives randomness");
    }
}
