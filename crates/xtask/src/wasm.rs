//! Builds the npm package of the rules.

use std::path::Path;

use anyhow::{Result, bail};

/// Builds `wasm-pkg/dist`.
pub fn build(_root: &Path) -> Result<()> {
    bail!("not written yet")
}
