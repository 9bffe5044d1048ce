//! `slovo openapi`.

use std::io::Write;

use anyhow::Result;

/// Prints the OpenAPI document.
pub fn run() -> Result<()> {
    let text = crate::openapi::text()?;
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}
