//! The checksum of the bytes of one request, computed while they arrive.

use sha1::Sha1;
use sha2::{Digest, Sha256};

/// The checksum that a client states for the bytes of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpectedChecksum {
    /// SHA-1, 20 bytes.
    Sha1([u8; 20]),
    /// SHA-256, 32 bytes.
    Sha256([u8; 32]),
}

/// Hashes the bytes of one request as they arrive.
#[derive(Debug, Clone)]
pub enum ChecksumHasher {
    /// The state of SHA-1 and the expected checksum.
    Sha1(Sha1, [u8; 20]),
    /// The state of SHA-256 and the expected checksum.
    Sha256(Sha256, [u8; 32]),
}

impl ChecksumHasher {
    /// Starts without any bytes.
    #[must_use]
    pub fn new(expected: ExpectedChecksum) -> Self {
        match expected {
            ExpectedChecksum::Sha1(sum) => Self::Sha1(Sha1::new(), sum),
            ExpectedChecksum::Sha256(sum) => Self::Sha256(Sha256::new(), sum),
        }
    }

    /// Adds the next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        match self {
            Self::Sha1(hash, _) => hash.update(bytes),
            Self::Sha256(hash, _) => hash.update(bytes),
        }
    }

    /// Whether the checksum matches.
    #[must_use]
    pub fn matches(self) -> bool {
        match self {
            Self::Sha1(hash, sum) => hash.finalize()[..] == sum[..],
            Self::Sha256(hash, sum) => hash.finalize()[..] == sum[..],
        }
    }
}
