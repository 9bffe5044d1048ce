//! The web app: installs its packages and builds it, each only if its inputs have changed.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use crate::step::{command, execute, fetch, print_line};

/// Installs the packages of `folder` exactly as its lock file says, unless they are installed
/// already.
pub fn install(folder: &Path) -> Result<()> {
    let stamp = folder.join("node_modules/.slovo-lock");
    let expected = digest(&[
        folder.join("package-lock.json"),
        folder.join("package.json"),
    ])?;
    if fs::read_to_string(&stamp).is_ok_and(|actual| actual == expected) {
        return Ok(());
    }
    fetch(command(folder, "npm").args(["ci", "--no-audit", "--no-fund"]))?;
    fs::write(&stamp, expected).with_context(|| format!("cannot write {}", stamp.display()))
}

/// Builds `web/dist` unless it was built from the same files.
pub fn build(root: &Path) -> Result<()> {
    let web = root.join("web");
    let stamp = web.join("dist/.slovo-inputs");
    let expected = digest(&[
        web.join("src"),
        web.join("public"),
        web.join("index.html"),
        web.join("package.json"),
        web.join("package-lock.json"),
        web.join("scripts"),
        web.join("vite.config.ts"),
        root.join("wasm-pkg/dist"),
    ])?;
    if fs::read_to_string(&stamp).is_ok_and(|actual| actual == expected) {
        print_line("   web app is up to date");
        return Ok(());
    }
    execute(command(&web, "npm").args(["run", "--silent", "build"]))?;
    fs::write(&stamp, expected).with_context(|| format!("cannot write {}", stamp.display()))
}

/// A digest of the names and contents of files, and of all files below folders.
pub fn digest(paths: &[PathBuf]) -> Result<String> {
    let mut hash = Sha256::new();
    for path in paths {
        for file in files_below(path)? {
            hash.update(file.to_string_lossy().as_bytes());
            hash.update([0]);
            let bytes =
                fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
            hash.update(u64::try_from(bytes.len())?.to_le_bytes());
            hash.update(bytes);
        }
    }
    Ok(hex::encode(hash.finalize()))
}

fn files_below(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    if path.is_file() {
        return Ok(vec![path.to_path_buf()]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path).with_context(|| format!("cannot list {}", path.display()))? {
        files.extend(files_below(&entry?.path())?);
    }
    files.sort();
    Ok(files)
}
