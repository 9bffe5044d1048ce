//! Subtitles of every text of the tests, read by programs that share nothing with what wrote them:
//! ttconv reads all four formats, and the W3C's own validator `WebVTT`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::results::{self, Case};
use super::rust::Build;
use super::{report, requests};
use crate::serve::fresh_folder;
use crate::step::{command, passes, step};
use crate::up::target_folder;

/// It is asked for by its own version.
const TTCONV: &str = "ttconv==1.2.3";

/// Where it is kept, in the target folder.
const PACKAGES: &str = "ttconv";

const READER: &str = include_str!("subtitles.py");

/// The test that writes the files where a folder is named, and the variable that names it.
const WRITER: &str = "package(slovo-export) & test(/^tests::strict::every_text/)";
const VARIABLE: &str = "SLOVO_SUBTITLES";

/// Has the files written and reads them.
pub fn tests(root: &Path, build: &Build) -> Result<Vec<Case>> {
    step("Subtitles, read by other programs", "", || {
        let folder = fresh_folder(root, "subtitles")?;
        let place = folder.to_str().context("the folder's name is no text")?;
        let mut cases = build.some_tests(WRITER, &[(VARIABLE, place)])?;
        let report = report(root, "subtitles.xml")?;
        let script = target_folder(root).join("suite/subtitles.py");
        fs::write(&script, READER)?;
        let packages = target_folder(root).join(PACKAGES);
        let mut reader = command(root, "python3");
        reader.arg(&script).arg(&folder).arg(&report);
        let passed = passes(reader.env("PYTHONPATH", &packages))?;
        let read = results::read(&report)?;
        if !passed && !read.iter().any(Case::failed) {
            bail!("ttconv failed, though none of its files did: see above");
        }
        cases.extend(read);
        let mut validator = command(&root.join("web"), "node");
        validator.arg("scripts/check-vtt.mjs").arg(&folder);
        if !passes(&mut validator)? {
            bail!("the W3C's validator refuses a WebVTT file: see above");
        }
        Ok(cases)
    })
}

/// Brings ttconv.
pub fn install(root: &Path) -> Result<()> {
    requests::bring(root, PACKAGES, TTCONV)
}
