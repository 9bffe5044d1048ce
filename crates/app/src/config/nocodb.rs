//! The external database (NocoDB): its token and how it is accessed. Its address is configured by
//! administrators while the server runs.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::Args;

use super::Redacted;

/// The external database.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "External database (NocoDB)")]
pub struct Nocodb {
    /// File containing only the API token; `SLOVO_NOCODB_TOKEN` holds the token itself
    #[arg(
        long = "nocodb-token-file",
        env = "SLOVO_NOCODB_TOKEN_FILE",
        value_name = "FILE"
    )]
    pub token_file: Option<PathBuf>,
    /// Its token; from the environment alone, but tests have no environment of their own
    #[cfg_attr(not(test), arg(skip = super::from_environment("SLOVO_NOCODB_TOKEN")))]
    #[cfg_attr(test, arg(long = "nocodb-token"))]
    pub token: Option<Redacted>,
    /// Minutes between syncs; 0 to sync only on request
    #[arg(
        long = "nocodb-sync-minutes",
        env = "SLOVO_NOCODB_SYNC_MINUTES",
        value_name = "MINUTES",
        default_value_t = 0
    )]
    pub sync_minutes: u32,
    /// Maximum number of requests per second
    #[arg(
        long = "nocodb-requests-per-second",
        env = "SLOVO_NOCODB_REQUESTS_PER_SECOND",
        value_name = "N",
        default_value_t = 5
    )]
    pub requests_per_second: u32,
}

impl Nocodb {
    /// Reads the token's file, and checks what the types do not.
    ///
    /// # Errors
    /// The message names what is not valid.
    pub fn prepare(&mut self) -> Result<()> {
        ensure!(
            self.requests_per_second > 0,
            "--nocodb-requests-per-second: at least 1"
        );
        if self.token.is_none()
            && let Some(file) = &self.token_file
        {
            let token = std::fs::read_to_string(file)
                .with_context(|| format!("--nocodb-token-file {}", file.display()))?;
            self.token =
                Some(Redacted::from(token.trim().to_owned())).filter(|t| !t.expose().is_empty());
        }
        // Characters that are not allowed in a header would fail every request.
        let is_valid = |token: &Redacted| token.expose().bytes().all(|b| b.is_ascii_graphic());
        ensure!(
            self.token.as_ref().is_none_or(is_valid),
            "SLOVO_NOCODB_TOKEN: a token is one word of letters, digits and signs"
        );
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        nocodb: Nocodb,
    }

    fn prepared(arguments: &[&str]) -> Result<Nocodb> {
        let line = Line::try_parse_from(["slovo"].iter().chain(arguments));
        let mut nocodb = line.unwrap().nocodb;
        nocodb.prepare().map(|()| nocodb)
    }

    #[test]
    fn the_token_is_read_from_a_file_and_hidden_in_debug_output() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "hunter2\n").unwrap();
        let path = file.path().to_str().unwrap();
        let nocodb = prepared(&["--nocodb-token-file", path]).unwrap();
        assert_eq!(nocodb.token.as_ref().unwrap().expose(), "hunter2");
        assert!(!format!("{nocodb:?}").contains("hunter2"));
        std::fs::write(file.path(), "two words").unwrap();
        let error = prepared(&["--nocodb-token-file", path]).unwrap_err();
        assert!(!format!("{error:#}").contains("two words"));
        assert!(prepared(&["--nocodb-token-file", "/nowhere"]).is_err());
        assert!(prepared(&["--nocodb-requests-per-second", "0"]).is_err());
    }
}
