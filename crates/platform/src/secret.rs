//! The one secret of a server, from which all its keys are derived.

use std::fmt;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use hkdf::Hkdf;
use sha2::Sha256;

use crate::random::Random;

/// Where the secret is kept in the data folder when no variable gives it.
pub const FILE: &str = "secret.key";

/// Shortest secret that is accepted from `SLOVO_SECRET`, in bytes: the minimum for HS256 (RFC 7518,
/// section 3.2).
pub const MIN_BYTES: usize = 32;

/// The server's secret. Its `Debug` output is redacted.
#[derive(Clone)]
pub struct Secret {
    bytes: Vec<u8>,
    /// Whether it is that of the data folder.
    is_of_file: bool,
}

impl Secret {
    /// A secret from the configuration.
    ///
    /// # Errors
    /// If it has fewer than [`MIN_BYTES`] bytes.
    pub fn given(value: &str) -> Result<Self> {
        ensure!(
            value.len() >= MIN_BYTES,
            "SLOVO_SECRET needs at least {MIN_BYTES} bytes"
        );
        Ok(Self {
            bytes: value.as_bytes().to_vec(),
            is_of_file: false,
        })
    }

    /// The secret of this data folder; created at the first start, readable by its owner only.
    ///
    /// # Errors
    /// If the file cannot be read or written, or is too short to be one.
    pub fn load_or_create(data: &Path, random: &dyn Random) -> Result<Self> {
        let path = data.join(FILE);
        if !path.exists() {
            let mut bytes = [0; 32];
            random.fill(&mut bytes);
            // Atomic, and never replaces one that another process has just created.
            let mut file = tempfile::Builder::new()
                .permissions(fs::Permissions::from_mode(0o600))
                .tempfile_in(data)
                .with_context(|| format!("cannot write into {}", data.display()))?;
            file.write_all(&bytes)?;
            file.as_file().sync_all()?;
            if let Err(error) = file.persist_noclobber(&path)
                && error.error.kind() != std::io::ErrorKind::AlreadyExists
            {
                return Err(error.error).with_context(|| format!("cannot make {}", path.display()));
            }
        }
        let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        ensure!(
            bytes.len() >= MIN_BYTES,
            "{} is damaged: it has {} bytes instead of at least {MIN_BYTES}. Restore it from a \
             backup, or remove it; then everybody has to sign in again",
            path.display(),
            bytes.len(),
        );
        let mode = fs::metadata(&path)?.permissions().mode();
        if mode & 0o077 != 0 {
            tracing::warn!(path = %path.display(), mode = format!("{mode:o}"), "others can read the server's secret");
        }
        Ok(Self {
            bytes,
            is_of_file: true,
        })
    }

    /// The secret itself, for a backup, if it is in the data folder. One from the configuration is kept
    /// where the configuration is.
    pub fn of_file(&self) -> Option<&[u8]> {
        self.is_of_file.then_some(self.bytes.as_slice())
    }

    /// A fingerprint of the secret, in hex; it reveals nothing about the secret.
    pub fn print(&self) -> String {
        hex::encode(self.derive("fingerprint of the secret"))
    }

    /// A key for one purpose (HKDF-SHA256). Keys of different purposes reveal nothing about each
    /// other or about the secret.
    pub fn derive(&self, purpose: &str) -> [u8; 32] {
        let mut key = [0; 32];
        let derived = Hkdf::<Sha256>::new(None, &self.bytes).expand(purpose.as_bytes(), &mut key);
        debug_assert!(derived.is_ok(), "32 bytes are within what HKDF gives");
        key
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::SeededRandom;

    #[test]
    fn a_secret_is_created_once_and_readable_only_by_its_owner() {
        let folder = tempfile::tempdir().unwrap();
        let first = Secret::load_or_create(folder.path(), &SeededRandom::new(1)).unwrap();
        let second = Secret::load_or_create(folder.path(), &SeededRandom::new(2)).unwrap();
        assert_eq!(first.derive("a"), second.derive("a"));
        assert_ne!(first.derive("a"), first.derive("b"));
        let mode = fs::metadata(folder.path().join(FILE))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_damaged_or_short_secret_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(FILE), "short").unwrap();
        let error = Secret::load_or_create(folder.path(), &SeededRandom::new(1)).unwrap_err();
        assert!(error.to_string().contains("damaged"), "{error}");
        assert!(Secret::given("0123456789012345678901234567890").is_err());
        let given = Secret::given("01234567890123456789012345678901").unwrap();
        assert!(!format!("{given:?}").contains("0123"));
    }
}
