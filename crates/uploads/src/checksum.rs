//! The checksum of the bytes of one request, computed while they arrive.

use sha1::Sha1;
use sha2::{Digest, Sha256};

/// What a client says the bytes of one request add up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpectedChecksum {
    /// SHA-1, 20 bytes.
    Sha1([u8; 20]),
    /// SHA-256, 32 bytes.
    Sha256([u8; 32]),
}

/// Adds up the bytes of one request while they pass.
#[derive(Debug, Clone)]
pub enum ChecksumHasher {
    /// Towards a SHA-1.
    Sha1(Sha1, [u8; 20]),
    /// Towards a SHA-256.
    Sha256(Sha256, [u8; 32]),
}

impl ChecksumHasher {
    /// Starts at no bytes.
    #[must_use]
    pub fn new(expected: ExpectedChecksum) -> Self {
        match expected {
            ExpectedChecksum::Sha1(sum) => Self::Sha1(Sha1::new(), sum),
            ExpectedChecksum::Sha256(sum) => Self::Sha256(Sha256::new(), sum),
        }
    }

    /// Takes the next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        match self {
            Self::Sha1(hash, _) => hash.update(bytes),
            Self::Sha256(hash, _) => hash.update(bytes),
        }
    }

    /// Whether the bytes were those the client meant.
    #[must_use]
    pub fn matches(self) -> bool {
        match self {
            Self::Sha1(hash, sum) => hash.finalize()[..] == sum[..],
            Self::Sha256(hash, sum) => hash.finalize()[..] == sum[..],
        }
    }
}
