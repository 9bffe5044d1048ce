//! `slovo openapi`.

use std::io::Write;

use anyhow::Result;

/// Prints the document of the API.
pub fn run() -> Result<()> {
    let text = crate::openapi::text()?;
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}
