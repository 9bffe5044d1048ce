//! Clients of other speech services, in their current versions, against the real server with real
//! models: they find the API that they know.

use std::fs;
use std::path::Path;

use anyhow::Result;

use super::results::Case;
use super::{finished_cases, report, requests};
use crate::cargo::target_folder;
use crate::serve::fresh_folder;
use crate::step::{command, step, succeeds};

/// Its version is pinned; its dependencies are the newest of the index.
const CLIENTS: &str = "openai==3.57.0";

/// Their folder, in the target folder.
const PACKAGES: &str = "clients";

const TESTS: &str = include_str!("clients.py");

/// Runs them.
pub fn tests(root: &Path) -> Result<Vec<Case>> {
    let program = target_folder(root).join("debug/slovo");
    let packages = target_folder(root).join(PACKAGES);
    step("Clients of other services, in Python", "", || {
        let server = requests::start(root, &program)?;
        let folder = fresh_folder(root, "clients")?;
        fs::write(folder.join("account.py"), requests::ACCOUNT)?;
        let script = folder.join("clients.py");
        fs::write(&script, TESTS)?;
        let report = report(root, "clients.xml")?;
        let passed = succeeds(
            command(&folder, "python3")
                .arg(&script)
                .arg(server.folder().join("outbox"))
                .arg(&report)
                .env("PYTHONPATH", &packages)
                .env(
                    "SLOVO_TEST_API",
                    format!("http://{}/api/v1", server.address),
                ),
        )?;
        finished_cases(passed, &report)
    })
}

/// Installs the clients.
pub fn install(root: &Path) -> Result<()> {
    requests::install_package(root, PACKAGES, CLIENTS)
}
