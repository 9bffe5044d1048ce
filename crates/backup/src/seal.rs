//! Encryption of pieces for the owners of keys.

use std::fmt;
use std::str::FromStr;

use age::secrecy::ExposeSecret;
use age::x25519;
use anyhow::{Context, Result, bail, ensure};

/// Who can read sealed backups.
#[derive(Clone, Default)]
pub struct Recipients(Vec<x25519::Recipient>);

impl Recipients {
    /// Reads public keys: `age1…`.
    ///
    /// # Errors
    /// When one of them is no public key. It is not repeated: it may be a private one by mistake.
    pub fn parse(keys: &[String]) -> Result<Self> {
        let keys = keys.iter().map(|key| {
            x25519::Recipient::from_str(key.trim())
                .map_err(|_| anyhow::anyhow!("expected public keys of age, which begin with age1"))
        });
        Ok(Self(keys.collect::<Result<_>>()?))
    }

    /// Whether backups are not sealed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The public keys.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.0.iter().map(ToString::to_string).collect()
    }

    pub(crate) fn seal(&self, content: &[u8]) -> Result<Vec<u8>> {
        let recipients = self.0.iter().map(|key| key as &dyn age::Recipient);
        let sealing = age::Encryptor::with_recipients(recipients)?;
        let mut sealed = Vec::with_capacity(content.len() + 512);
        let mut writer = sealing.wrap_output(&mut sealed)?;
        std::io::Write::write_all(&mut writer, content)?;
        writer.finish()?;
        Ok(sealed)
    }
}

impl fmt::Debug for Recipients {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

/// Private keys that open sealed backups.
#[derive(Clone, Default)]
pub struct Identities(Vec<x25519::Identity>);

impl Identities {
    /// Reads the file of `age-keygen`: a private key in each line, comments after `#`.
    ///
    /// # Errors
    /// When there is none, or a line is none; the line is not repeated.
    pub fn parse(text: &str) -> Result<Self> {
        let mut keys = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let key = x25519::Identity::from_str(line)
                .map_err(|_| anyhow::anyhow!("line {} is no private key of age", number + 1))?;
            keys.push(key);
        }
        ensure!(!keys.is_empty(), "there is no private key of age in it");
        Ok(Self(keys))
    }

    pub(crate) fn open(&self, sealed: &[u8]) -> Result<Vec<u8>> {
        if self.0.is_empty() {
            bail!("this backup is sealed: give the file with the private key with --identity");
        }
        let sealing = age::Decryptor::new(sealed).context("it is damaged")?;
        let keys = self.0.iter().map(|key| key as &dyn age::Identity);
        let mut reader = match sealing.decrypt(keys) {
            Err(age::DecryptError::NoMatchingKeys) => {
                bail!("the private key does not open this backup: it was sealed for another one")
            }
            opened => opened.context("it is damaged")?,
        };
        let mut content = Vec::with_capacity(sealed.len());
        std::io::Read::read_to_end(&mut reader, &mut content).context("it is damaged")?;
        Ok(content)
    }
}

impl fmt::Debug for Identities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Identities({})", self.0.len())
    }
}

/// A new private key, as the text of its file, and its public key.
#[must_use]
pub fn new_identity() -> (String, String) {
    let identity = x25519::Identity::generate();
    let public = identity.to_public().to_string();
    let text = format!(
        "# public key: {public}\n{}\n",
        identity.to_string().expose_secret()
    );
    (text, public)
}
