//! Validates the subtitles of every test text with independent programs: ttconv reads all four
//! formats, and the W3C's own validator reads `WebVTT`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::results::{self, Case};
use super::rust::Build;
use super::{report, requests};
use crate::cargo::target_folder;
use crate::serve::fresh_folder;
use crate::step::{command, step, succeeds};

/// Its version is pinned.
const TTCONV: &str = "ttconv==1.2.3";

/// Its folder, in the target folder.
const PACKAGES: &str = "ttconv";

const READER: &str = include_str!("subtitles.py");

/// The test that writes the files, and the variable that names their folder.
const WRITER: &str = "package(slovo-export) & test(/^tests::strict::every_text/)";
const VARIABLE: &str = "SLOVO_SUBTITLES";

/// Writes the files and validates them.
pub fn tests(root: &Path, build: &Build) -> Result<Vec<Case>> {
    step("Subtitles, read by other programs", "", || {
        let folder = fresh_folder(root, "subtitles")?;
        let place = folder.to_str().context("the folder's name is not UTF-8")?;
        let mut cases = build.some_tests(WRITER, &[(VARIABLE, place)])?;
        let report = report(root, "subtitles.xml")?;
        let script = target_folder(root).join("suite/subtitles.py");
        fs::write(&script, READER)?;
        let packages = target_folder(root).join(PACKAGES);
        let mut reader = command(root, "python3");
        reader.arg(&script).arg(&folder).arg(&report);
        let passed = succeeds(reader.env("PYTHONPATH", &packages))?;
        let read = results::read(&report)?;
        if !passed && !read.iter().any(Case::failed) {
            bail!("ttconv failed, though none of its files did: see above");
        }
        cases.extend(read);
        let mut validator = command(&root.join("web"), "node");
        validator.arg("scripts/check-vtt.mjs").arg(&folder);
        if !succeeds(&mut validator)? {
            bail!("the W3C's validator rejects a WebVTT file: see above");
        }
        Ok(cases)
    })
}

/// Installs ttconv.
pub fn install(root: &Path) -> Result<()> {
    requests::install_packages(root, PACKAGES, &[TTCONV])
}
