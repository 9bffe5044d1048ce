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

/// Their versions are pinned; their dependencies are the newest of the index.
const CLIENTS: [&str; 5] = [
    "deepgram-sdk==7.17.0",
    "openai==3.57.0",
    "requests==2.34.2",
    "standardwebhooks==1.1.0",
    "wyoming==1.10.2",
];

/// Their folder, in the target folder.
const PACKAGES: &str = "clients";

/// The scripts; the last one runs the tests of the others.
const SCRIPTS: [(&str, &str); 8] = [
    ("common.py", include_str!("clients/common.py")),
    ("with_deepgram.py", include_str!("clients/with_deepgram.py")),
    ("with_docs.py", include_str!("clients/with_docs.py")),
    ("with_openai.py", include_str!("clients/with_openai.py")),
    ("with_remote.py", include_str!("clients/with_remote.py")),
    ("with_requests.py", include_str!("clients/with_requests.py")),
    ("with_wyoming.py", include_str!("clients/with_wyoming.py")),
    ("run.py", include_str!("clients/run.py")),
];

/// Runs them.
pub fn tests(root: &Path) -> Result<Vec<Case>> {
    let program = target_folder(root).join("debug/slovo");
    let packages = target_folder(root).join(PACKAGES);
    step("Clients of other services, in Python", "", || {
        let server = requests::start(root, &program)?;
        let folder = fresh_folder(root, "clients")?;
        fs::write(folder.join("account.py"), requests::ACCOUNT)?;
        for (name, text) in SCRIPTS {
            fs::write(folder.join(name), text)?;
        }
        let report = report(root, "clients.xml")?;
        let passed = succeeds(
            command(&folder, "python3")
                .arg("run.py")
                .arg(server.folder().join("outbox"))
                .arg(&report)
                .arg(&program)
                .arg(root.join("web/node_modules"))
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
    requests::install_packages(root, PACKAGES, &CLIENTS)
}
